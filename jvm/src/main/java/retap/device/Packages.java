package retap.device;

import android.content.ComponentName;
import android.content.Context;
import android.content.Intent;
import android.content.pm.ActivityInfo;
import android.content.pm.ApplicationInfo;
import android.content.pm.ComponentInfo;
import android.content.pm.FeatureInfo;
import android.content.pm.PackageInfo;
import android.content.pm.PackageManager;
import android.content.pm.PackageParser;
import android.content.pm.ResolveInfo;
import android.content.pm.ServiceInfo;
import android.content.res.Configuration;
import android.content.res.Resources;
import android.content.res.TypedArray;
import android.net.Uri;
import android.os.Build;
import java.io.File;
import java.util.List;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowPackageManager;

/** What is installed: the app, and stand-ins for the apps of a phone that others count on. */
final class Packages {
  private final Installed installed;
  private final int compat;
  private final Signers signers;
  private Context context;
  private PackageParser.Package parsed;

  Packages(Installed installed, int compat, Signers signers) {
    this.installed = installed;
    this.signers = signers;
    this.compat = compat;
  }

  void attach(Context with, PackageParser.Package app) {
    context = with;
    parsed = app;
  }

  // What the framework in the app's process asks.

  PackageInfo getPackageInfo(String name, int flags, int userId) {
    try {
      return context.getPackageManager().getPackageInfo(name, flags);
    } catch (PackageManager.NameNotFoundException none) {
      return null;
    }
  }

  /** Says who has signed the app, where that was asked. */
  void sign(PackageInfo info, int flags) {
    if (parsed != null && info.packageName.equals(parsed.packageName)) {
      signers.tell(info, flags);
    }
  }

  ApplicationInfo getApplicationInfo(String name, int flags, int userId) {
    if (name.equals(parsed.packageName)) {
      return AppProcess.applicationInfo();
    }
    try {
      return context.getPackageManager().getApplicationInfo(name, flags);
    } catch (PackageManager.NameNotFoundException none) {
      return null;
    }
  }

  boolean isPackageAvailable(String name, int userId) {
    return getPackageInfo(name, 0, userId) != null;
  }

  // What this device asks.

  /** As in the table of the apps that every phone has. */
  private static final String HOME = "com.android.launcher3";

  /** What a phone has. */
  private static final String[] FEATURES = {
    PackageManager.FEATURE_TOUCHSCREEN,
    PackageManager.FEATURE_TOUCHSCREEN_MULTITOUCH,
    PackageManager.FEATURE_TOUCHSCREEN_MULTITOUCH_DISTINCT,
    PackageManager.FEATURE_SCREEN_PORTRAIT,
    PackageManager.FEATURE_SCREEN_LANDSCAPE,
    PackageManager.FEATURE_CAMERA,
    PackageManager.FEATURE_CAMERA_ANY,
    PackageManager.FEATURE_MICROPHONE,
    PackageManager.FEATURE_WIFI,
    PackageManager.FEATURE_BLUETOOTH,
    PackageManager.FEATURE_TELEPHONY,
    PackageManager.FEATURE_LOCATION,
    PackageManager.FEATURE_LOCATION_NETWORK,
    PackageManager.FEATURE_LOCATION_GPS,
    PackageManager.FEATURE_SENSOR_ACCELEROMETER,
    PackageManager.FEATURE_APP_WIDGETS,
    PackageManager.FEATURE_INPUT_METHODS,
  };

  void addFeatures() {
    ShadowPackageManager manager = Shadow.extract(context.getPackageManager());
    for (String name : FEATURES) {
      FeatureInfo feature = new FeatureInfo();
      feature.name = name;
      manager.addSystemAvailableFeature(feature);
      manager.setSystemFeature(name, true);
    }
  }

  String name() {
    return parsed.packageName;
  }

  PackageParser.Package app() {
    return parsed;
  }

  Configuration configuration() {
    return AppProcess.configuration();
  }

  /** The activity that takes an intent; null when there is none. */
  ActivityInfo activity(Intent intent) {
    PackageManager manager = context.getPackageManager();
    ComponentName component = intent.getComponent();
    if (component != null) {
      return declared(component);
    }
    if (PackageManager.ACTION_REQUEST_PERMISSIONS.equals(intent.getAction())) {
      ActivityInfo asks =
          foreign(new ComponentName(PermissionActivity.PACKAGE, PermissionActivity.NAME));
      asks.theme = android.R.style.Theme_DeviceDefault_Light_Dialog;
      return asks;
    }
    ResolveInfo found = manager.resolveActivity(intent, PackageManager.MATCH_DEFAULT_ONLY);
    if (found == null && intent.hasCategory(Intent.CATEGORY_LAUNCHER)) {
      found = manager.resolveActivity(intent, 0);
    }
    ActivityInfo own = found == null ? null : declared(componentOf(found.activityInfo));
    if (own != null) {
      return own;
    }
    return other(intent);
  }

  /** The activity of another app that takes an intent; null when there is none. */
  ActivityInfo other(Intent intent) {
    boolean named = intent.getComponent() != null || context == null;
    ComponentName other = named ? null : installed.handler(intent, intent.resolveType(context));
    return other == null ? null : foreign(other);
  }

  /** What another app gives back at once for an intent; null where it does not. */
  Uri given(Intent intent) {
    // With one app to choose from there is no choice.
    Intent chosen =
        Intent.ACTION_CHOOSER.equals(intent.getAction())
            ? intent.getParcelableExtra(Intent.EXTRA_INTENT)
            : intent;
    File file = chosen == null ? null : installed.given(chosen, chosen.resolveType(context));
    return file == null ? null : SystemProvider.document(file);
  }

  /** Whether it is the home screen, which is there all the time. */
  boolean isHome(ActivityInfo info) {
    return info.packageName.equals(HOME);
  }

  /** Whether it is another app's: the system's own question for a permission is not. */
  boolean isForeign(ActivityInfo info) {
    return !info.packageName.equals(parsed.packageName)
        && !info.packageName.equals(PermissionActivity.PACKAGE);
  }

  /** An activity of another app. It runs in the app's process; only its name is the other's. */
  private static ActivityInfo foreign(ComponentName component) {
    ActivityInfo info = new ActivityInfo();
    info.packageName = component.getPackageName();
    info.name = component.getClassName();
    info.applicationInfo = AppProcess.applicationInfo();
    info.processName = info.applicationInfo.processName;
    info.theme = android.R.style.Theme_DeviceDefault_Light_NoActionBar;
    info.screenOrientation = ActivityInfo.SCREEN_ORIENTATION_UNSPECIFIED;
    info.enabled = true;
    info.exported = true;
    return info;
  }

  private static ComponentName componentOf(ActivityInfo info) {
    return new ComponentName(info.packageName, info.name);
  }

  /** Whether a part of the app can be started: what the app has set last counts. */
  boolean isEnabled(ComponentInfo part) {
    ComponentName name = new ComponentName(part.packageName, part.name);
    int set = context.getPackageManager().getComponentEnabledSetting(name);
    return set == PackageManager.COMPONENT_ENABLED_STATE_DEFAULT
        ? part.enabled
        : set == PackageManager.COMPONENT_ENABLED_STATE_ENABLED;
  }

  private ActivityInfo declared(ComponentName component) {
    for (PackageParser.Activity activity : parsed.activities) {
      if (!component.getPackageName().equals(parsed.packageName)
          || !activity.info.name.equals(component.getClassName())) {
        continue;
      }
      ActivityInfo info = new ActivityInfo(activity.info);
      if (info.targetActivity != null) {
        return declared(new ComponentName(info.packageName, info.targetActivity));
      }
      info.applicationInfo = AppProcess.applicationInfo();
      info.processName = info.applicationInfo.processName;
      if (compat == Build.VERSION_CODES.KITKAT && info.getThemeResource() == 0) {
        info.theme = holoTheme(info.applicationInfo.targetSdkVersion);
      }
      return isEnabled(info) ? info : null;
    }
    return null;
  }

  /** The theme that Android 4 gave to apps that name none; 0 leaves it to Android. */
  private static int holoTheme(int targetSdk) {
    if (targetSdk < Build.VERSION_CODES.HONEYCOMB || targetSdk >= Build.VERSION_CODES.LOLLIPOP) {
      return 0;
    }
    return targetSdk < Build.VERSION_CODES.ICE_CREAM_SANDWICH
        ? android.R.style.Theme_Holo
        : android.R.style.Theme_Holo_Light_DarkActionBar;
  }

  ServiceInfo service(Intent intent) {
    ComponentName component = intent.getComponent();
    for (PackageParser.Service service : parsed.services) {
      boolean meant =
          component == null
              ? service.intents.stream()
                  .anyMatch(filter -> filter.match(null, intent, false, "retap") >= 0)
              : service.info.name.equals(component.getClassName());
      if (meant) {
        ServiceInfo info = new ServiceInfo(service.info);
        info.applicationInfo = AppProcess.applicationInfo();
        return info;
      }
    }
    return null;
  }

  /** The intent with which a launcher starts the app; null when no launcher would show it. */
  Intent launcher() {
    for (PackageParser.Activity activity : parsed.activities) {
      for (PackageParser.ActivityIntentInfo filter : activity.intents) {
        if (filter.hasAction(Intent.ACTION_MAIN)
            && filter.hasCategory(Intent.CATEGORY_LAUNCHER)
            && isEnabled(activity.info)) {
          return new Intent(Intent.ACTION_MAIN)
              .addCategory(Intent.CATEGORY_LAUNCHER)
              .setFlags(Intent.FLAG_ACTIVITY_NEW_TASK | Intent.FLAG_ACTIVITY_RESET_TASK_IF_NEEDED)
              .setComponent(new ComponentName(parsed.packageName, activity.info.name));
        }
      }
    }
    return null;
  }

  /** Whether what is below such an activity shines through. */
  boolean isTranslucent(ActivityInfo info) {
    Resources.Theme theme = context.getResources().newTheme();
    theme.applyStyle(info.getThemeResource(), true);
    TypedArray window = theme.obtainStyledAttributes(com.android.internal.R.styleable.Window);
    try {
      return ActivityInfo.isTranslucentOrFloating(window);
    } finally {
      window.recycle();
    }
  }

  List<PackageParser.Activity> receivers() {
    return parsed.receivers;
  }
}
