package retap.device;

import android.app.ActivityManager;
import android.content.ContentResolver;
import android.content.Intent;
import android.net.wifi.ScanResult;
import android.os.BatteryManager;
import android.os.Debug;
import android.provider.Settings;
import android.system.StructStatVfs;
import java.util.ArrayList;
import java.util.List;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowBatteryManager;
import org.robolectric.shadows.ShadowWifiManager;
import retap.host.PhoneFiles;

/**
 * What an app is told of the phone: a charged one with some room left. It is the same on every
 * computer; its memory is that of the folder {@code jvm/phone}.
 */
public final class Hardware {
  private static final long MEMORY = 1_937_224L << 10;
  private static final long FREE_MEMORY = 1_103_428L << 10;
  private static final long LOW_MEMORY = 147_456L << 10;

  /** What a process has, in kB: of Java, of native code, and the rest. */
  private static final int[] PROCESS = {8_192, 12_288, 24_576};

  private static final int FULL = 100;
  private static final int MILLIVOLTS = 4_200;
  private static final int TENTHS_OF_A_DEGREE = 250;

  private static final int LONGEST_NAME = 255;

  private Hardware() {}

  static void describe(ActivityManager.MemoryInfo memory) {
    memory.totalMem = MEMORY;
    memory.availMem = FREE_MEMORY;
    memory.threshold = LOW_MEMORY;
    memory.lowMemory = false;
  }

  /** The memory of a process of the app. */
  static Debug.MemoryInfo process() {
    Debug.MemoryInfo memory = new Debug.MemoryInfo();
    memory.dalvikPss = PROCESS[0];
    memory.dalvikPrivateDirty = PROCESS[0];
    memory.nativePss = PROCESS[1];
    memory.nativePrivateDirty = PROCESS[1];
    memory.otherPss = PROCESS[2];
    memory.otherPrivateDirty = PROCESS[2];
    return memory;
  }

  /** What is broadcast of the battery, and kept for who asks later. */
  static Intent battery() {
    return new Intent(Intent.ACTION_BATTERY_CHANGED)
        .addFlags(Intent.FLAG_RECEIVER_REGISTERED_ONLY)
        .putExtra(BatteryManager.EXTRA_STATUS, BatteryManager.BATTERY_STATUS_FULL)
        .putExtra(BatteryManager.EXTRA_HEALTH, BatteryManager.BATTERY_HEALTH_GOOD)
        .putExtra(BatteryManager.EXTRA_PRESENT, true)
        .putExtra(BatteryManager.EXTRA_LEVEL, FULL)
        .putExtra(BatteryManager.EXTRA_SCALE, FULL)
        .putExtra(BatteryManager.EXTRA_BATTERY_LOW, false)
        .putExtra(BatteryManager.EXTRA_ICON_SMALL, android.R.drawable.ic_lock_idle_charging)
        .putExtra(BatteryManager.EXTRA_PLUGGED, BatteryManager.BATTERY_PLUGGED_USB)
        .putExtra(BatteryManager.EXTRA_VOLTAGE, MILLIVOLTS)
        .putExtra(BatteryManager.EXTRA_TEMPERATURE, TENTHS_OF_A_DEGREE)
        .putExtra(BatteryManager.EXTRA_TECHNOLOGY, "Li-ion");
  }

  /** The settings that a new phone begins with: apps read these without a value to fall back on. */
  static void set(ContentResolver resolver) {
    Settings.System.putInt(resolver, Settings.System.SCREEN_BRIGHTNESS, 102);
    Settings.System.putInt(resolver, Settings.System.SCREEN_BRIGHTNESS_MODE, 0);
    Settings.System.putInt(resolver, Settings.System.SCREEN_OFF_TIMEOUT, 60_000);
    Settings.System.putInt(resolver, Settings.System.ACCELEROMETER_ROTATION, 1);
    Settings.System.putInt(resolver, Settings.System.HAPTIC_FEEDBACK_ENABLED, 1);
    Settings.System.putInt(resolver, Settings.System.VIBRATE_WHEN_RINGING, 0);
    Settings.Global.putInt(resolver, Settings.Global.AIRPLANE_MODE_ON, 0);
    Settings.Global.putInt(resolver, Settings.Global.AUTO_TIME, 1);
    Settings.Global.putInt(resolver, Settings.Global.AUTO_TIME_ZONE, 1);
    Settings.Global.putInt(resolver, Settings.Global.DATA_ROAMING, 0);
    Settings.Global.putInt(resolver, Settings.Global.STAY_ON_WHILE_PLUGGED_IN, 0);
    Settings.Global.putInt(resolver, Settings.Global.WIFI_ON, 1);
  }

  /** How full the phone is. */
  @Implements(className = "android.os.StatFs")
  public static class Disk {
    @Implementation
    protected static StructStatVfs doStat(String path) {
      return new StructStatVfs(
          PhoneFiles.BLOCK,
          PhoneFiles.BLOCK,
          PhoneFiles.BLOCKS,
          PhoneFiles.FREE_BLOCKS,
          PhoneFiles.FREE_BLOCKS,
          PhoneFiles.BLOCKS,
          PhoneFiles.FREE_BLOCKS,
          PhoneFiles.FREE_BLOCKS,
          0,
          0,
          LONGEST_NAME);
    }
  }

  /** As {@link #battery} says. */
  @Implements(className = "android.os.BatteryManager")
  public static class Battery extends ShadowBatteryManager {
    @Override
    @Implementation
    protected boolean isCharging() {
      return true;
    }

    @Override
    @Implementation
    protected int getIntProperty(int id) {
      if (id == BatteryManager.BATTERY_PROPERTY_CAPACITY) {
        return FULL;
      }
      return id == BatteryManager.BATTERY_PROPERTY_STATUS
          ? BatteryManager.BATTERY_STATUS_FULL
          : super.getIntProperty(id);
    }
  }

  /** There is no other network around. */
  @Implements(className = "android.net.wifi.WifiManager")
  public static class Wifi extends ShadowWifiManager {
    @Override
    @Implementation
    protected List<ScanResult> getScanResults() {
      return new ArrayList<>();
    }
  }
}
