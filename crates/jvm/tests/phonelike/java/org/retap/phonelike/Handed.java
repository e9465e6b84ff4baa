package org.retap.phonelike;

import android.content.ContentProvider;
import android.content.ContentValues;
import android.content.CursorLoader;
import android.content.Loader;
import android.database.Cursor;
import android.database.MatrixCursor;
import android.net.Uri;
import android.widget.Filter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What Android's own threads ask the app for, and when. */
final class Handed {
  private static final List<String> ORDER = Collections.synchronizedList(new ArrayList<String>());

  private Handed() {}

  /** Android asks when the main thread is done, and is told by whom in which order. */
  static void toAndroid(final CheckActivity activity) {
    ORDER.clear();
    new Filter() {
      @Override
      protected FilterResults performFiltering(CharSequence text) {
        ORDER.add("filter");
        return new FilterResults();
      }

      @Override
      protected void publishResults(CharSequence text, FilterResults results) {}
    }.filter("x");
    Uri own = Uri.parse("content://org.retap.phonelike/");
    CursorLoader loader = new CursorLoader(activity, own, null, null, null, null);
    loader.registerListener(
        0,
        new Loader.OnLoadCompleteListener<Cursor>() {
          @Override
          public void onLoadComplete(Loader<Cursor> loaded, Cursor cursor) {
            activity.show(ORDER.toString());
          }
        });
    loader.startLoading();
    double sum = 0;
    for (int step = 0; step < 2_000_000; step++) {
      sum += Math.tan(step);
    }
    ORDER.add(sum == 0 ? "nobody" : "main");
  }

  /** It is asked by a loader of Android. */
  public static final class Provider extends ContentProvider {
    @Override
    public boolean onCreate() {
      return true;
    }

    @Override
    public Cursor query(Uri uri, String[] columns, String where, String[] with, String order) {
      ORDER.add("query");
      return new MatrixCursor(new String[] {"_id"});
    }

    @Override
    public String getType(Uri uri) {
      return null;
    }

    @Override
    public Uri insert(Uri uri, ContentValues values) {
      return null;
    }

    @Override
    public int delete(Uri uri, String where, String[] with) {
      return 0;
    }

    @Override
    public int update(Uri uri, ContentValues values, String where, String[] with) {
      return 0;
    }
  }
}
