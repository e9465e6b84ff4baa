package retap.device;

import android.app.ContentProviderHolder;
import android.content.ContentUris;
import android.content.ContentValues;
import android.content.IContentProvider;
import android.content.pm.PackageManager;
import android.content.pm.ProviderInfo;
import android.content.res.AssetFileDescriptor;
import android.database.BulkCursorDescriptor;
import android.database.BulkCursorToCursorAdaptor;
import android.database.Cursor;
import android.database.CursorToBulkCursorAdaptor;
import android.database.IContentObserver;
import android.database.MatrixCursor;
import android.net.Uri;
import android.os.Bundle;
import android.os.ICancellationSignal;
import android.os.ParcelFileDescriptor;
import android.provider.BaseColumns;
import java.io.File;
import java.io.FileNotFoundException;
import java.util.Map;

/**
 * A provider of the system: contacts, media, calendars and so on of a phone that is new. There is
 * nothing in it, and what is put in is not kept.
 */
final class SystemProvider {
  private static final String DOCUMENTS = "com.android.externalstorage.documents";

  /** Who has one, and the permission that it takes to read. */
  private static final Map<String, String> READ =
      Map.ofEntries(
          Map.entry("media", ""),
          Map.entry("com.android.contacts", "android.permission.READ_CONTACTS"),
          Map.entry("contacts", "android.permission.READ_CONTACTS"),
          Map.entry("icc", "android.permission.READ_CONTACTS"),
          Map.entry("call_log", "android.permission.READ_CALL_LOG"),
          Map.entry("com.android.calendar", "android.permission.READ_CALENDAR"),
          Map.entry("sms", "android.permission.READ_SMS"),
          Map.entry("mms", "android.permission.READ_SMS"),
          Map.entry("mms-sms", "android.permission.READ_SMS"),
          Map.entry("downloads", ""),
          Map.entry("user_dictionary", ""),
          Map.entry("com.android.alarmclock", ""),
          Map.entry("com.android.deskclock", ""),
          Map.entry(DOCUMENTS, ""));

  private final String permission;
  private final Permissions permissions;
  private long inserted;

  private SystemProvider(String permission, Permissions permissions) {
    this.permission = permission;
    this.permissions = permissions;
  }

  /** The one with this name, which is not the app's; null when there is none. */
  static ContentProviderHolder of(String authority, Permissions permissions) {
    String permission = READ.get(authority);
    if (permission == null) {
      return null;
    }
    ProviderInfo info = new ProviderInfo();
    info.authority = authority;
    info.name = SystemProvider.class.getName();
    info.packageName = "com.android.providers";
    info.applicationInfo = AppProcess.applicationInfo();
    info.exported = true;
    ContentProviderHolder holder = new ContentProviderHolder(info);
    holder.provider =
        Remote.of(IContentProvider.class, new SystemProvider(permission, permissions));
    holder.noReleaseNeeded = true;
    return holder;
  }

  /** The name of a file that another app gives to this one. */
  static Uri document(File file) {
    return new Uri.Builder().scheme("content").authority(DOCUMENTS).path(file.getPath()).build();
  }

  // What IContentProvider answers.

  AssetFileDescriptor openTypedAssetFile(
      String caller, Uri uri, String type, Bundle options, ICancellationSignal signal)
      throws FileNotFoundException {
    if (!DOCUMENTS.equals(uri.getAuthority())) {
      throw new FileNotFoundException(uri.toString());
    }
    ParcelFileDescriptor file =
        ParcelFileDescriptor.open(new File(uri.getPath()), ParcelFileDescriptor.MODE_READ_ONLY);
    return new AssetFileDescriptor(file, 0, AssetFileDescriptor.UNKNOWN_LENGTH);
  }

  Cursor query(
      String caller, Uri uri, String[] columns, Bundle arguments, ICancellationSignal signal) {
    if (!permission.isEmpty()
        && permissions.check(permission) != PackageManager.PERMISSION_GRANTED) {
      throw new SecurityException(
          "Permission Denial: reading " + uri.getAuthority() + " requires " + permission);
    }
    return remote(
        new MatrixCursor(columns == null ? new String[] {BaseColumns._ID} : columns, 0),
        uri.getAuthority());
  }

  /** As it comes out of another process: Android's own code at both ends. */
  private static Cursor remote(Cursor cursor, String name) {
    CursorToBulkCursorAdaptor there =
        new CursorToBulkCursorAdaptor(
            cursor, Remote.of(IContentObserver.class, new Object()), name);
    BulkCursorDescriptor descriptor = there.getBulkCursorDescriptor();
    BulkCursorToCursorAdaptor here = new BulkCursorToCursorAdaptor();
    here.initialize(descriptor);
    return here;
  }

  Uri insert(String caller, Uri uri, ContentValues values) {
    inserted++;
    return ContentUris.withAppendedId(uri, inserted);
  }
}
