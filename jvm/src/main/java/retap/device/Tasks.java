package retap.device;

import android.app.Activity;
import android.app.ActivityManager;
import android.app.ActivityThread;
import android.app.IApplicationThread;
import android.app.IRequestFinishCallback;
import android.app.ProfilerInfo;
import android.app.ResultInfo;
import android.app.servertransaction.ActivityLifecycleItem;
import android.app.servertransaction.ActivityRelaunchItem;
import android.app.servertransaction.ActivityResultItem;
import android.app.servertransaction.ClientTransaction;
import android.app.servertransaction.ClientTransactionItem;
import android.app.servertransaction.DestroyActivityItem;
import android.app.servertransaction.LaunchActivityItem;
import android.app.servertransaction.NewIntentItem;
import android.app.servertransaction.PauseActivityItem;
import android.app.servertransaction.ResumeActivityItem;
import android.app.servertransaction.StopActivityItem;
import android.app.servertransaction.WindowVisibilityItem;
import android.content.ComponentName;
import android.content.Intent;
import android.content.pm.ActivityInfo;
import android.content.res.CompatibilityInfo;
import android.content.res.Configuration;
import android.net.Uri;
import android.os.Bundle;
import android.os.IBinder;
import android.os.PersistableBundle;
import android.os.RemoteException;
import android.util.MergedConfiguration;
import com.android.internal.content.ReferrerIntent;
import java.util.ArrayList;
import java.util.List;
import retap.device.ActivityRecord.State;

/**
 * Activities and tasks: what {@code IActivityTaskManager} answers.
 *
 * <p>As on a phone the activity in front is paused before another is launched or resumed, and what
 * cannot be seen any more is stopped after that. Every step is a transaction that Android's own
 * ActivityThread carries out.
 */
final class Tasks {
  private static final int START_SUCCESS = 0;
  private static final int START_DELIVERED_TO_TOP = 3;
  private static final int START_NOT_FOUND = -92;
  private static final int START_NOT_RESOLVED = -91;

  private final Packages packages;
  private final Windows windows;

  /** Other apps are not started. */
  private final boolean stay;

  /** The last is in front, unless the home screen is. */
  private final List<ActivityTask> tasks = new ArrayList<>();

  private final List<ActivityRecord> toDestroy = new ArrayList<>();

  /** Told to end, and not yet heard of. */
  private final List<ActivityRecord> ending = new ArrayList<>();

  private IApplicationThread client;
  private ActivityRecord resumed;
  private boolean home = true;
  private int nextTask = 1;
  private Runnable orientationChanged = () -> {};

  Tasks(Packages packages, Windows windows, boolean stay) {
    this.stay = stay;
    this.packages = packages;
    this.windows = windows;
  }

  void attach(ActivityThread thread, Runnable onOrientation) {
    client = thread.getApplicationThread();
    orientationChanged = onOrientation;
  }

  /** The activity in front; null on the home screen. */
  synchronized ActivityRecord front() {
    return home || tasks.isEmpty() ? null : tasks.get(tasks.size() - 1).top();
  }

  /** Activities that can be seen, the lowest first. */
  synchronized List<ActivityRecord> visible() {
    List<ActivityRecord> seen = new ArrayList<>();
    if (home || tasks.isEmpty()) {
      return seen;
    }
    List<ActivityRecord> stack = tasks.get(tasks.size() - 1).activities;
    for (int at = stack.size() - 1; at >= 0; at--) {
      seen.add(0, stack.get(at));
      if (!stack.get(at).translucent) {
        break;
      }
    }
    return seen;
  }

  /** The app's tasks, that in front first. */
  synchronized List<ActivityManager.RunningTaskInfo> running(int most) {
    List<ActivityManager.RunningTaskInfo> all = new ArrayList<>();
    for (ActivityTask task : tasks) {
      if (task.top() != null) {
        ActivityManager.RunningTaskInfo info = new ActivityManager.RunningTaskInfo();
        info.id = task.id;
        info.taskId = task.id;
        info.baseActivity = ComponentName.unflattenFromString(task.activities.get(0).component());
        info.topActivity = ComponentName.unflattenFromString(task.top().component());
        info.numActivities = task.activities.size();
        info.numRunning = info.numActivities;
        all.add(0, info);
      }
    }
    return all.subList(0, Math.min(most, all.size()));
  }

  /** Starts the app as a launcher does, or brings it to the front. */
  synchronized void launch(Intent intent) {
    start(intent, null, null, -1);
  }

  /** The home key. */
  synchronized void goHome() {
    windows.closeMenus();
    showHome();
  }

  private void showHome() {
    if (!home && !stay) {
      home = true;
      resumeTop(true);
    }
  }

  // What the app calls.

  synchronized int startActivity(
      IApplicationThread caller,
      String callingPackage,
      Intent intent,
      String resolvedType,
      IBinder resultTo,
      String resultWho,
      int requestCode,
      int flags,
      ProfilerInfo profilerInfo,
      Bundle options) {
    return start(intent, find(resultTo), resultWho, requestCode);
  }

  synchronized int startActivityAsUser(
      IApplicationThread caller,
      String callingPackage,
      Intent intent,
      String resolvedType,
      IBinder resultTo,
      String resultWho,
      int requestCode,
      int flags,
      ProfilerInfo profilerInfo,
      Bundle options,
      int userId) {
    return start(intent, find(resultTo), resultWho, requestCode);
  }

  synchronized int startActivities(
      IApplicationThread caller,
      String callingPackage,
      Intent[] intents,
      String[] resolvedTypes,
      IBinder resultTo,
      Bundle options,
      int userId) {
    int result = START_SUCCESS;
    for (Intent intent : intents) {
      result = start(intent, null, null, -1);
      if (result < 0) {
        return result;
      }
    }
    return result;
  }

  synchronized boolean finishActivity(IBinder token, int code, Intent data, int finishTask) {
    ActivityRecord record = find(token);
    if (record != null && !record.finishing) {
      finish(record, code, data);
      resumeTop(false);
    }
    return record != null;
  }

  void onBackPressedOnTaskRoot(IBinder token, IRequestFinishCallback callback)
      throws RemoteException {
    // Where other apps are not started the home screen is not, either.
    if (!stay) {
      callback.requestFinish();
    }
  }

  synchronized boolean finishActivityAffinity(IBinder token) {
    ActivityRecord record = find(token);
    if (record == null) {
      return false;
    }
    for (ActivityRecord other : new ArrayList<>(record.task.activities)) {
      finish(other, 0, null);
    }
    resumeTop(false);
    return true;
  }

  synchronized void finishSubActivity(IBinder token, String resultWho, int requestCode) {
    ActivityRecord parent = find(token);
    for (ActivityRecord record : all()) {
      if (record.resultTo == parent && record.requestCode == requestCode) {
        finish(record, 0, null);
      }
    }
    resumeTop(false);
  }

  synchronized void activityPaused(IBinder token) {
    ActivityRecord record = find(token);
    if (record != null && record.state == State.PAUSING) {
      record.state = State.PAUSED;
      if (resumed == record) {
        resumed = null;
      }
      resumeTop(false);
    }
  }

  synchronized void activityResumed(IBinder token) {
    stopWhatIsHidden();
  }

  synchronized void activityStopped(
      IBinder token, Bundle state, PersistableBundle persistent, CharSequence description) {
    ActivityRecord record = find(token);
    if (record != null) {
      record.saved = state;
    }
  }

  synchronized void activityDestroyed(IBinder token) {
    ending.removeIf(record -> record.token == token);
  }

  /** Whether windows may be added to an activity: also while it ends, until it has. */
  synchronized boolean isAlive(IBinder token) {
    return find(token) != null || ending.stream().anyMatch(record -> record.token == token);
  }

  synchronized boolean moveActivityTaskToBack(IBinder token, boolean nonRoot) {
    goHome();
    return true;
  }

  synchronized int getTaskForActivity(IBinder token, boolean onlyRoot) {
    ActivityRecord record = find(token);
    if (record == null || onlyRoot && record.task.activities.indexOf(record) != 0) {
      return -1;
    }
    return record.task.id;
  }

  synchronized boolean isTopOfTask(IBinder token) {
    ActivityRecord record = find(token);
    return record != null && record.task.top() == record;
  }

  synchronized boolean willActivityBeVisible(IBinder token) {
    return visible().contains(find(token));
  }

  synchronized ComponentName getCallingActivity(IBinder token) {
    ActivityRecord record = find(token);
    return record == null || record.resultTo == null
        ? null
        : new ComponentName(record.resultTo.info.packageName, record.resultTo.info.name);
  }

  synchronized String getCallingPackage(IBinder token) {
    ComponentName calling = getCallingActivity(token);
    return calling == null ? null : calling.getPackageName();
  }

  synchronized void setRequestedOrientation(IBinder token, int orientation) {
    ActivityRecord record = find(token);
    if (record != null && record.orientation != orientation) {
      record.orientation = orientation;
      orientationChanged.run();
    }
  }

  synchronized int getRequestedOrientation(IBinder token) {
    ActivityRecord record = find(token);
    return record == null ? ActivityInfo.SCREEN_ORIENTATION_UNSPECIFIED : record.orientation;
  }

  synchronized boolean shouldUpRecreateTask(IBinder token, String affinity) {
    return false;
  }

  synchronized boolean navigateUpTo(IBinder token, Intent to, int code, Intent data) {
    ActivityRecord record = find(token);
    if (record == null) {
      return false;
    }
    List<ActivityRecord> stack = record.task.activities;
    int caller = stack.indexOf(record);
    int parent = caller - 1;
    while (parent >= 0 && !stack.get(parent).info.name.equals(to.getComponent().getClassName())) {
      parent--;
    }
    // Without the parent in its task, only the caller goes.
    int last = parent >= 0 ? parent : caller - 1;
    for (ActivityRecord above : new ArrayList<>(stack.subList(last + 1, stack.size()))) {
      finish(above, code, data);
    }
    resumeTop(false);
    return parent >= 0;
  }

  synchronized List<ActivityManager.AppTask> getAppTasks(String callingPackage) {
    return new ArrayList<>();
  }

  // How it is done.

  private int start(Intent intent, ActivityRecord resultTo, String resultWho, int requestCode) {
    ActivityInfo info = packages.activity(intent);
    if (info == null) {
      return intent.getComponent() == null ? START_NOT_RESOLVED : START_NOT_FOUND;
    }
    if (packages.isHome(info)) {
      showHome();
      return START_SUCCESS;
    }
    boolean wantsResult = resultTo != null && requestCode >= 0;
    Uri given = packages.isForeign(info) ? packages.given(intent) : null;
    if (given != null || stay && packages.isForeign(info)) {
      // The app is told that it was started, and that it ended at once.
      if (wantsResult) {
        int how = given == null ? Activity.RESULT_CANCELED : Activity.RESULT_OK;
        Intent data = given == null ? null : new Intent().setData(given);
        resultTo.results.add(new ResultInfo(resultWho, requestCode, how, data));
        resumeTop(false);
      }
      return START_SUCCESS;
    }
    ActivityTask task = taskFor(info, intent, wantsResult);
    ActivityRecord there = reused(task, info, intent, wantsResult);
    // After that: a task whose activities are all finished is gone, and here it begins again.
    home = false;
    tasks.remove(task);
    tasks.add(task);
    if (there != null) {
      there.newIntents.add(new ReferrerIntent(intent, info.packageName));
      if (there.state == State.RESUMED) {
        deliver(there);
      } else {
        resumeTop(false);
      }
      return START_DELIVERED_TO_TOP;
    }
    boolean launcherAgain = !task.activities.isEmpty() && isLauncher(intent) && resultTo == null;
    if (!launcherAgain) {
      ActivityRecord record =
          new ActivityRecord(
              info,
              new Intent(intent).setComponent(new ComponentName(info.packageName, info.name)),
              task,
              wantsResult ? resultTo : null,
              resultWho,
              requestCode,
              packages.isTranslucent(info));
      task.activities.add(record);
    }
    resumeTop(false);
    return START_SUCCESS;
  }

  private static boolean isLauncher(Intent intent) {
    return Intent.ACTION_MAIN.equals(intent.getAction())
        && intent.hasCategory(Intent.CATEGORY_LAUNCHER);
  }

  private ActivityTask taskFor(ActivityInfo info, Intent intent, boolean wantsResult) {
    boolean own =
        info.launchMode == ActivityInfo.LAUNCH_SINGLE_TASK
            || info.launchMode == ActivityInfo.LAUNCH_SINGLE_INSTANCE
            || (intent.getFlags() & Intent.FLAG_ACTIVITY_NEW_TASK) != 0 && !wantsResult;
    ActivityTask front = home || tasks.isEmpty() ? null : tasks.get(tasks.size() - 1);
    if (!own && front != null) {
      return front;
    }
    String affinity = info.taskAffinity == null ? info.packageName : info.taskAffinity;
    for (ActivityTask task : tasks) {
      if (task.affinity.equals(affinity)) {
        return task;
      }
    }
    return new ActivityTask(nextTask++, affinity);
  }

  /** The activity that takes the intent in place of a new one; those above it are finished. */
  private ActivityRecord reused(
      ActivityTask task, ActivityInfo info, Intent intent, boolean wantsResult) {
    boolean clearTask = (intent.getFlags() & Intent.FLAG_ACTIVITY_CLEAR_TASK) != 0;
    if (clearTask) {
      for (ActivityRecord record : new ArrayList<>(task.activities)) {
        finish(record, 0, null);
      }
      return null;
    }
    ActivityRecord top = task.top();
    boolean singleTop =
        info.launchMode == ActivityInfo.LAUNCH_SINGLE_TOP
            || (intent.getFlags() & Intent.FLAG_ACTIVITY_SINGLE_TOP) != 0;
    boolean single = info.launchMode >= ActivityInfo.LAUNCH_SINGLE_TASK;
    if (top != null && top.is(info) && (singleTop || single) && !wantsResult) {
      return top;
    }
    boolean clearTop = (intent.getFlags() & Intent.FLAG_ACTIVITY_CLEAR_TOP) != 0;
    if (!clearTop && !single) {
      boolean toFront = (intent.getFlags() & Intent.FLAG_ACTIVITY_REORDER_TO_FRONT) != 0;
      return toFront ? reordered(task, info) : null;
    }
    for (int at = task.activities.size() - 1; at >= 0; at--) {
      ActivityRecord record = task.activities.get(at);
      if (!record.is(info)) {
        continue;
      }
      boolean again = single || singleTop;
      int from = again ? at + 1 : at;
      for (ActivityRecord above :
          new ArrayList<>(task.activities.subList(from, task.activities.size()))) {
        finish(above, 0, null);
      }
      return again ? record : null;
    }
    return null;
  }

  private static ActivityRecord reordered(ActivityTask task, ActivityInfo info) {
    for (ActivityRecord record : task.activities) {
      if (record.is(info)) {
        task.activities.remove(record);
        task.activities.add(record);
        return record;
      }
    }
    return null;
  }

  private void finish(ActivityRecord record, int code, Intent data) {
    if (record.finishing) {
      return;
    }
    record.finishing = true;
    if (record.resultTo != null && !record.resultTo.finishing) {
      record.resultTo.results.add(new ResultInfo(record.resultWho, record.requestCode, code, data));
    }
    record.task.activities.remove(record);
    if (record.task.activities.isEmpty()) {
      tasks.remove(record.task);
      home = home || tasks.isEmpty();
    }
    if (record.state != State.NEW) {
      toDestroy.add(record);
    }
  }

  /**
   * Sees to it that the right activity is resumed. What must happen first is ordered, and this is
   * called again.
   */
  private void resumeTop(boolean userLeaving) {
    ActivityRecord front = front();
    if (resumed != null && resumed != front) {
      if (resumed.state == State.RESUMED) {
        resumed.state = State.PAUSING;
        send(resumed, PauseActivityItem.obtain(resumed.finishing, userLeaving, 0, false));
      }
      return;
    }
    if (front == null) {
      stopWhatIsHidden();
      return;
    }
    switch (front.state) {
      case NEW -> {
        resumed = front;
        front.state = State.RESUMED;
        orientationChanged.run();
        launch(front);
      }
      case PAUSED, STOPPED -> {
        boolean wasStopped = front.state == State.STOPPED;
        resumed = front;
        front.state = State.RESUMED;
        orientationChanged.run();
        List<ClientTransactionItem> items = new ArrayList<>();
        if (wasStopped) {
          items.add(WindowVisibilityItem.obtain(true));
        }
        items.addAll(pending(front));
        send(front, items, ResumeActivityItem.obtain(0, false));
      }
      default -> {
        if (!front.results.isEmpty() || !front.newIntents.isEmpty()) {
          deliver(front);
        }
      }
    }
    windows.changed();
  }

  private void launch(ActivityRecord record) {
    Configuration configuration = packages.configuration();
    LaunchActivityItem item =
        LaunchActivityItem.obtain(
            record.started(),
            System.identityHashCode(record),
            record.startedInfo(),
            configuration,
            configuration,
            CompatibilityInfo.DEFAULT_COMPATIBILITY_INFO,
            record.info.packageName,
            null,
            0,
            record.saved,
            null,
            null,
            null,
            true,
            null,
            record.token);
    send(record, List.of(item), ResumeActivityItem.obtain(0, true));
  }

  /** Gives an activity that is in front its results and intents. */
  private void deliver(ActivityRecord record) {
    send(record, pending(record), ResumeActivityItem.obtain(0, false));
  }

  private static List<ClientTransactionItem> pending(ActivityRecord record) {
    List<ClientTransactionItem> items = new ArrayList<>();
    if (!record.results.isEmpty()) {
      items.add(ActivityResultItem.obtain(new ArrayList<>(record.results)));
      record.results.clear();
    }
    if (!record.newIntents.isEmpty()) {
      items.add(NewIntentItem.obtain(new ArrayList<>(record.newIntents), true));
      record.newIntents.clear();
    }
    return items;
  }

  private void stopWhatIsHidden() {
    List<ActivityRecord> seen = visible();
    for (ActivityRecord record : all()) {
      if (record.state == State.PAUSED && !seen.contains(record)) {
        record.state = State.STOPPED;
        send(record, StopActivityItem.obtain(false, 0));
      }
    }
    for (ActivityRecord record : new ArrayList<>(toDestroy)) {
      if (record.state != State.PAUSING && record != resumed) {
        toDestroy.remove(record);
        ending.add(record);
        send(record, DestroyActivityItem.obtain(true, 0));
      }
    }
    windows.changed();
  }

  /**
   * Every activity gets a new configuration: those that do not handle the change themselves are
   * made again.
   */
  synchronized void reconfigure(int changes) {
    Configuration configuration = packages.configuration();
    for (ActivityRecord record : all()) {
      if (record.state == State.NEW) {
        continue;
      }
      int unhandled = changes & ~record.info.getRealConfigChanged();
      MergedConfiguration merged = new MergedConfiguration(configuration, configuration);
      if (unhandled == 0) {
        send(
            record,
            List.of(
                android.app.servertransaction.ActivityConfigurationChangeItem.obtain(
                    configuration)),
            null);
        continue;
      }
      List<ResultInfo> results = new ArrayList<>(record.results);
      record.results.clear();
      ActivityLifecycleItem then =
          switch (record.state) {
            case RESUMED -> ResumeActivityItem.obtain(0, false);
            case STOPPED -> StopActivityItem.obtain(false, 0);
            default -> PauseActivityItem.obtain();
          };
      send(
          record,
          List.of(ActivityRelaunchItem.obtain(results, null, changes, merged, false)),
          then);
    }
  }

  private void send(ActivityRecord record, ActivityLifecycleItem item) {
    send(record, List.of(), item);
  }

  private void send(
      ActivityRecord record, List<ClientTransactionItem> items, ActivityLifecycleItem then) {
    ClientTransaction transaction = ClientTransaction.obtain(client, record.token);
    items.forEach(transaction::addCallback);
    if (then != null) {
      transaction.setLifecycleStateRequest(then);
    }
    try {
      client.scheduleTransaction(transaction);
    } catch (RemoteException never) {
      throw new IllegalStateException(never);
    }
  }

  private ActivityRecord find(IBinder token) {
    if (token == null) {
      return null;
    }
    for (ActivityRecord record : all()) {
      if (record.token == token) {
        return record;
      }
    }
    for (ActivityRecord record : toDestroy) {
      if (record.token == token) {
        return record;
      }
    }
    return null;
  }

  private List<ActivityRecord> all() {
    List<ActivityRecord> all = new ArrayList<>();
    tasks.forEach(task -> all.addAll(task.activities));
    return all;
  }
}
