package retap.device;

import android.app.ResultInfo;
import android.content.Intent;
import android.content.pm.ActivityInfo;
import android.os.Binder;
import android.os.Bundle;
import android.os.IBinder;
import com.android.internal.content.ReferrerIntent;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** An activity as the system sees it. */
final class ActivityRecord {
  enum State {
    NEW,
    RESUMED,
    PAUSING,
    PAUSED,
    STOPPED,
  }

  private static final Set<Integer> WIDE =
      Set.of(
          ActivityInfo.SCREEN_ORIENTATION_LANDSCAPE,
          ActivityInfo.SCREEN_ORIENTATION_SENSOR_LANDSCAPE,
          ActivityInfo.SCREEN_ORIENTATION_REVERSE_LANDSCAPE,
          ActivityInfo.SCREEN_ORIENTATION_USER_LANDSCAPE);
  private static final Set<Integer> TALL =
      Set.of(
          ActivityInfo.SCREEN_ORIENTATION_PORTRAIT,
          ActivityInfo.SCREEN_ORIENTATION_SENSOR_PORTRAIT,
          ActivityInfo.SCREEN_ORIENTATION_REVERSE_PORTRAIT,
          ActivityInfo.SCREEN_ORIENTATION_USER_PORTRAIT);

  final IBinder token = new Binder();
  final ActivityInfo info;
  final Intent intent;
  final ActivityTask task;
  /** Who wants the result, and under which number. */
  final ActivityRecord resultTo;
  final String resultWho;
  final int requestCode;
  /** Whether what is below shines through. */
  final boolean translucent;

  final List<ResultInfo> results = new ArrayList<>();
  final List<ReferrerIntent> newIntents = new ArrayList<>();
  State state = State.NEW;
  Bundle saved;
  boolean finishing;
  int orientation;

  ActivityRecord(
      ActivityInfo info,
      Intent intent,
      ActivityTask task,
      ActivityRecord resultTo,
      String resultWho,
      int requestCode,
      boolean translucent) {
    this.info = info;
    this.intent = intent;
    this.task = task;
    this.resultTo = resultTo;
    this.resultWho = resultWho;
    this.requestCode = requestCode;
    this.translucent = translucent;
    this.orientation = info.screenOrientation;
  }

  private boolean isForeign() {
    return !info.packageName.equals(info.applicationInfo.packageName);
  }

  /** The class that stands in for an activity of another app. */
  private String standIn() {
    return info.name.equals(PermissionActivity.NAME)
        ? PermissionActivity.class.getName()
        : ForeignActivity.class.getName();
  }

  /** The intent with which the app's process starts it. */
  Intent started() {
    return isForeign()
        ? new Intent(intent)
            .setClassName(info.applicationInfo.packageName, standIn())
            .putExtra(ForeignActivity.NAME, component())
        : intent;
  }

  /** What the app's process is told of it. */
  ActivityInfo startedInfo() {
    if (!isForeign()) {
      return info;
    }
    ActivityInfo standIn = new ActivityInfo(info);
    standIn.packageName = info.applicationInfo.packageName;
    standIn.name = standIn();
    return standIn;
  }

  String component() {
    return info.packageName + "/" + info.name;
  }

  boolean is(ActivityInfo other) {
    return info.packageName.equals(other.packageName) && info.name.equals(other.name);
  }

  /** Whether it wants the screen wide; null when it does not mind. */
  Boolean wantsLandscape() {
    if (WIDE.contains(orientation)) {
      return true;
    }
    return TALL.contains(orientation) ? false : null;
  }
}
