package retap.device;

import android.content.pm.PackageManager;
import android.content.pm.PackageParser;
import android.os.Build;
import java.util.HashSet;
import java.util.Set;

/** What the app may do. Apps for Android 6 and newer must ask the user for what is dangerous; older ones have it all. */
final class Permissions {
  private static final Set<String> DANGEROUS =
      Set.of(
          "android.permission.ACCEPT_HANDOVER",
          "android.permission.ACCESS_BACKGROUND_LOCATION",
          "android.permission.ACCESS_COARSE_LOCATION",
          "android.permission.ACCESS_FINE_LOCATION",
          "android.permission.ACCESS_MEDIA_LOCATION",
          "android.permission.ACTIVITY_RECOGNITION",
          "android.permission.ADD_VOICEMAIL",
          "android.permission.ANSWER_PHONE_CALLS",
          "android.permission.BODY_SENSORS",
          "android.permission.CALL_PHONE",
          "android.permission.CAMERA",
          "android.permission.GET_ACCOUNTS",
          "android.permission.PROCESS_OUTGOING_CALLS",
          "android.permission.READ_CALENDAR",
          "android.permission.READ_CALL_LOG",
          "android.permission.READ_CONTACTS",
          "android.permission.READ_EXTERNAL_STORAGE",
          "android.permission.READ_PHONE_NUMBERS",
          "android.permission.READ_PHONE_STATE",
          "android.permission.READ_SMS",
          "android.permission.RECEIVE_MMS",
          "android.permission.RECEIVE_SMS",
          "android.permission.RECEIVE_WAP_PUSH",
          "android.permission.RECORD_AUDIO",
          "android.permission.SEND_SMS",
          "android.permission.USE_SIP",
          "android.permission.WRITE_CALENDAR",
          "android.permission.WRITE_CALL_LOG",
          "android.permission.WRITE_CONTACTS",
          "android.permission.WRITE_EXTERNAL_STORAGE");

  private final Set<String> granted = new HashSet<>();
  private PackageParser.Package app;

  void attach(PackageParser.Package parsed) {
    app = parsed;
  }

  int check(String permission) {
    boolean requested = app != null && app.requestedPermissions.contains(permission);
    return requested && (!mustAsk(permission) || granted.contains(permission))
        ? PackageManager.PERMISSION_GRANTED
        : PackageManager.PERMISSION_DENIED;
  }

  private boolean mustAsk(String permission) {
    return DANGEROUS.contains(permission)
        && app.applicationInfo.targetSdkVersion >= Build.VERSION_CODES.M;
  }

  /** Whether the user is to be asked. */
  boolean isOpen(String permission) {
    return app.requestedPermissions.contains(permission)
        && mustAsk(permission)
        && !granted.contains(permission);
  }

  void grant(String permission) {
    granted.add(permission);
  }
}
