package org.retap.phonelike;

import android.app.ActivityManager;
import android.app.Notification;
import android.app.NotificationManager;
import android.content.BroadcastReceiver;
import android.content.ClipData;
import android.content.ClipboardManager;
import android.content.Context;
import android.content.Intent;
import android.content.IntentFilter;
import android.content.pm.PackageInfo;
import android.content.pm.PackageManager;
import android.content.pm.Signature;
import android.net.wifi.WifiManager;
import android.os.BatteryManager;
import android.os.Environment;
import android.os.Process;
import android.os.StatFs;
import android.os.storage.StorageManager;
import android.os.storage.StorageVolume;
import android.provider.Settings;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.text.SimpleDateFormat;
import java.util.Date;
import java.util.Locale;
import java.util.TimeZone;
import javax.crypto.KeyGenerator;

/** What every phone has an answer to. */
final class Asked {
  private Asked() {}

  static String folders(Context context) {
    return place(context.getExternalFilesDir(null))
        + " "
        + place(context.getExternalFilesDir(Environment.DIRECTORY_MUSIC))
        + " "
        + place(context.getExternalCacheDir())
        + " "
        + place(Environment.getExternalStoragePublicDirectory(Environment.DIRECTORY_DCIM))
        + " "
        + context.getExternalFilesDirs(null).length
        + Environment.getExternalStorageState(context.getExternalFilesDir(null));
  }

  private static String place(File folder) {
    String card = Environment.getExternalStorageDirectory().getPath() + "/";
    return folder.getPath().replace(card, "") + (folder.isDirectory() ? "/" : "");
  }

  static String battery(Context context) {
    IntentFilter changes = new IntentFilter(Intent.ACTION_BATTERY_CHANGED);
    BatteryManager manager = context.getSystemService(BatteryManager.class);
    return battery(context.registerReceiver(null, changes))
        + manager.getIntProperty(BatteryManager.BATTERY_PROPERTY_CAPACITY)
        + " "
        + manager.isCharging();
  }

  static void tellOfBattery(final CheckActivity activity) {
    activity.registerReceiver(
        new BroadcastReceiver() {
          @Override
          public void onReceive(Context context, Intent intent) {
            activity.show(battery(intent) + isInitialStickyBroadcast());
          }
        },
        new IntentFilter(Intent.ACTION_BATTERY_CHANGED));
  }

  private static String battery(Intent intent) {
    String told = "";
    for (String name : new String[] {"level", "scale", "status", "plugged"}) {
      told += intent.getIntExtra(name, -1) + " ";
    }
    return told;
  }

  static String icons(Context context) throws PackageManager.NameNotFoundException {
    PackageManager manager = context.getPackageManager();
    int width = manager.getApplicationIcon(context.getPackageName()).getIntrinsicWidth();
    int again = manager.getApplicationIcon(context.getApplicationInfo()).getIntrinsicWidth();
    return width > 0 && width == again ? "icons" : width + " " + again;
  }

  @SuppressWarnings("deprecation")
  static String signers(Context context) throws Exception {
    int flags = PackageManager.GET_SIGNATURES | PackageManager.GET_SIGNING_CERTIFICATES;
    PackageInfo info = context.getPackageManager().getPackageInfo(context.getPackageName(), flags);
    Signature signature = info.signatures[0];
    boolean same = info.signingInfo.getApkContentsSigners()[0].equals(signature);
    return subject(signature) + " " + same;
  }

  private static String subject(Signature signature) throws Exception {
    X509Certificate certificate =
        (X509Certificate)
            CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(signature.toByteArray()));
    return certificate.getSubjectDN().getName();
  }

  static String volume(Context context) {
    StorageManager manager = context.getSystemService(StorageManager.class);
    StorageVolume volume = manager.getPrimaryStorageVolume();
    return volume.getState()
        + " "
        + volume.isEmulated()
        + " "
        + volume.getDescription(context)
        + " "
        + manager.getStorageVolumes().size();
  }

  /** In percent. */
  static String room(Context context) {
    StatFs card = new StatFs(Environment.getExternalStorageDirectory().getPath());
    ActivityManager manager = context.getSystemService(ActivityManager.class);
    ActivityManager.MemoryInfo memory = new ActivityManager.MemoryInfo();
    manager.getMemoryInfo(memory);
    int own = manager.getProcessMemoryInfo(new int[] {Process.myPid()})[0].getTotalPss();
    File folder = context.getFilesDir();
    return 100 * card.getAvailableBlocksLong() / card.getBlockCountLong()
        + " "
        + 100 * folder.getFreeSpace() / folder.getTotalSpace()
        + " "
        + (folder.getUsableSpace() >> 20)
        + " "
        + 100 * memory.availMem / memory.totalMem
        + " "
        + own;
  }

  static Intent home() {
    return new Intent(Intent.ACTION_MAIN).addCategory(Intent.CATEGORY_HOME);
  }

  static String homeScreen(Context context) {
    return context.getPackageManager().resolveActivity(home(), 0).activityInfo.packageName;
  }

  static int networks(Context context) {
    WifiManager manager = context.getApplicationContext().getSystemService(WifiManager.class);
    return manager.getScanResults().size();
  }

  static String brightness(Context context) throws Settings.SettingNotFoundException {
    return "" + Settings.System.getInt(context.getContentResolver(), "screen_brightness");
  }

  /** With letters that only Android knows. */
  static String dates() {
    SimpleDateFormat first = new SimpleDateFormat("ccc LLLL");
    SimpleDateFormat second = new SimpleDateFormat("cccc 'c'", Locale.FRANCE);
    SimpleDateFormat third = new SimpleDateFormat();
    third.applyPattern("c");
    String all = "";
    for (SimpleDateFormat format : new SimpleDateFormat[] {first, second, third}) {
      format.setTimeZone(TimeZone.getTimeZone("UTC"));
      all += format.format(new Date(0)) + " ";
    }
    return all.trim();
  }

  static NotificationManager notices(Context context) {
    return context.getSystemService(NotificationManager.class);
  }

  @SuppressWarnings("deprecation")
  static void tell(Context context) {
    int icon = android.R.drawable.ic_delete;
    notices(context).notify(1, new Notification.Builder(context).setSmallIcon(icon).build());
  }

  @SuppressWarnings("deprecation")
  static void tellWithoutIcon(Context context) {
    notices(context).notify(1, new Notification.Builder(context).build());
  }

  static ClipboardManager clipboard(Context context) {
    return context.getSystemService(ClipboardManager.class);
  }

  static String copied(Context context) {
    clipboard(context).setPrimaryClip(ClipData.newPlainText("a word", "copied"));
    return clipboard(context).getPrimaryClip().getItemAt(0).getText().toString();
  }

  static String keys() throws Exception {
    return KeyStore.getInstance("AndroidKeyStore").getType();
  }

  static String keyMaker() throws Exception {
    return KeyGenerator.getInstance("AES", "AndroidKeyStore").getAlgorithm();
  }
}
