package retap.device;

import android.app.ActivityManager;
import android.app.ApplicationPackageManager;
import android.app.IActivityManager;
import android.app.IActivityTaskManager;
import android.app.Notification;
import android.app.NotificationManager;
import android.content.ClipData;
import android.content.ClipboardManager;
import android.content.Intent;
import android.content.pm.ActivityInfo;
import android.content.pm.ApplicationInfo;
import android.content.pm.IPackageManager;
import android.content.pm.PackageInfo;
import android.content.pm.PackageManager.NameNotFoundException;
import android.content.pm.ResolveInfo;
import android.graphics.drawable.Drawable;
import android.os.Message;
import android.view.IWindowSession;
import android.widget.Adapter;
import java.util.ArrayList;
import java.util.List;
import org.robolectric.annotation.ClassName;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowActivityManager;
import org.robolectric.shadows.ShadowActivityThread;
import org.robolectric.shadows.ShadowAdapterView;
import org.robolectric.shadows.ShadowApplicationPackageManager;
import org.robolectric.shadows.ShadowClipboardManager;
import org.robolectric.shadows.ShadowLoadedApk;
import org.robolectric.shadows.ShadowNotificationManager;
import org.robolectric.shadows.ShadowPausedMessageQueue;
import org.robolectric.shadows.ShadowProcess;
import org.robolectric.shadows.ShadowTextView;
import org.robolectric.shadows.ShadowUserManager;
import org.robolectric.shadows.ShadowViewGroup;
import org.robolectric.shadows.ShadowWindowManagerGlobal;
import org.robolectric.util.ReflectionHelpers.ClassParameter;
import retap.host.Calls;
import retap.host.Threads;
import retap.host.Turns;

/**
 * What stands in the place of Robolectric's shadows.
 *
 * <p>Robolectric records what an app asks of the system, for a test to look at. Here the system
 * answers: so these shadows are empty where Android's own code can run, and lead to {@link
 * SystemServer} where that talks to the system.
 */
public final class Shadows {
  private Shadows() {}

  /** All of them. */
  public static final Class<?>[] ALL = {
    PlainActivity.class,
    PlainActivityGroup.class,
    PlainTabActivity.class,
    PlainInstrumentation.class,
    PlainService.class,
    PlainDialog.class,
    PlainAlertDialog.class,
    PlainContentResolver.class,
    PlainBroadcastReceiver.class,
    PlainPendingResult.class,
    PlainInputMethodManager.class,
    NoMagnifier.class,
    PlainTabHost.class,
    PlainTabSpec.class,
    PlainTabWidget.class,
    PlainViewAnimator.class,
    PlainScrollView.class,
    PlainNumberPicker.class,
    PlainAbsSpinner.class,
    PlainCompoundButton.class,
    PlainFilter.class,
    PlainAsyncQueryHandler.class,
    PlainDatePickerDialog.class,
    PlainSigningInfo.class,
    AppContext.class,
    AppApk.class,
    AppThread.class,
    ActivityManagerService.class,
    ActivityTaskManagerService.class,
    WindowSession.class,
    UnlockedUser.class,
    EndedProcess.class,
    InstalledPackages.class,
    LivingQueue.class,
    SentIntent.class,
    Card.PlainEnvironment.class,
    Card.PlainUserEnvironment.class,
    Card.Manager.class,
    Hardware.Disk.class,
    Hardware.Battery.class,
    Hardware.Wifi.class,
    KeptNotices.class,
    KeptClip.class,
    Alarms.Manager.class,
    Compat.Link.class,
    Compat.Menu.class,
  };

  @Implements(className = "android.app.Activity")
  public static class PlainActivity {}

  @Implements(className = "android.app.ActivityGroup")
  public static class PlainActivityGroup {}

  @Implements(className = "android.app.TabActivity")
  public static class PlainTabActivity {}

  @Implements(className = "android.app.Instrumentation")
  public static class PlainInstrumentation {}

  @Implements(className = "android.app.Service")
  public static class PlainService {}

  @Implements(className = "android.app.Dialog")
  public static class PlainDialog {}

  @Implements(className = "android.app.AlertDialog")
  public static class PlainAlertDialog {}

  @Implements(className = "android.content.ContentResolver")
  public static class PlainContentResolver {}

  @Implements(className = "android.content.BroadcastReceiver")
  public static class PlainBroadcastReceiver {}

  @Implements(className = "android.content.BroadcastReceiver$PendingResult")
  public static class PlainPendingResult {}

  @Implements(className = "android.view.inputmethod.InputMethodManager")
  public static class PlainInputMethodManager {}

  /** It draws on a surface of its own, which there is none of. */
  @Implements(className = "android.widget.Magnifier")
  public static class NoMagnifier {
    @Implementation
    protected void show(float x, float y) {}

    @Implementation
    protected void show(float x, float y, float toX, float toY) {}
  }

  @Implements(className = "android.widget.TabHost")
  public static class PlainTabHost extends ShadowViewGroup {}

  @Implements(className = "android.widget.TabHost$TabSpec")
  public static class PlainTabSpec {}

  @Implements(className = "android.widget.TabWidget")
  public static class PlainTabWidget extends ShadowViewGroup {}

  @Implements(className = "android.widget.ViewAnimator")
  public static class PlainViewAnimator extends ShadowViewGroup {}

  @Implements(className = "android.widget.ScrollView")
  public static class PlainScrollView extends ShadowViewGroup {}

  @Implements(className = "android.widget.NumberPicker")
  public static class PlainNumberPicker extends ShadowViewGroup {}

  /** Robolectric's tells the app of a choice at once, in the middle of making it. */
  @Implements(className = "android.widget.AbsSpinner")
  public static class PlainAbsSpinner extends ShadowAdapterView<Adapter> {}

  @Implements(className = "android.widget.CompoundButton")
  public static class PlainCompoundButton extends ShadowTextView {}

  @Implements(className = "android.widget.Filter")
  public static class PlainFilter {}

  @Implements(className = "android.content.AsyncQueryHandler")
  public static class PlainAsyncQueryHandler {}

  @Implements(className = "android.app.DatePickerDialog")
  public static class PlainDatePickerDialog {}

  @Implements(className = "android.content.pm.SigningInfo")
  public static class PlainSigningInfo {}

  /** Contexts: only where the app's files are differs. */
  @Implements(className = "android.app.ContextImpl")
  public static class AppContext {
    @Implementation
    protected ClassLoader getClassLoader() {
      return AppProcess.classLoader();
    }
  }

  @Implements(className = "android.app.LoadedApk")
  public static class AppApk extends ShadowLoadedApk {
    @Override
    @Implementation
    public ClassLoader getClassLoader() {
      return AppProcess.classLoader();
    }

    @Override
    @Implementation
    public ClassLoader getSplitClassLoader(String splitName) {
      return AppProcess.classLoader();
    }
  }

  @Implements(className = "android.app.ActivityThread")
  public static class AppThread extends ShadowActivityThread {
    @Implementation
    public static IPackageManager getPackageManager() {
      return SystemServer.get().packageManager();
    }

    /** Nobody asks for them, and Robolectric's resources fail at some apps. */
    @Implementation
    protected void reportSizeConfigurations(
        @ClassName("android.app.ActivityThread$ActivityClientRecord") Object record) {}
  }

  @Implements(className = "android.app.ActivityManager")
  public static class ActivityManagerService extends ShadowActivityManager {
    @Implementation
    protected static IActivityManager getService() {
      return SystemServer.get().activityManager();
    }

    @Override
    @Implementation
    protected void getMemoryInfo(ActivityManager.MemoryInfo memory) {
      Hardware.describe(memory);
    }

    @Override
    @Implementation
    protected List<ActivityManager.RunningTaskInfo> getRunningTasks(int most) {
      return SystemServer.get().tasks().running(most);
    }

    @Override
    @Implementation
    protected List<ActivityManager.RunningServiceInfo> getRunningServices(int most) {
      return SystemServer.get().services().running(most);
    }
  }

  @Implements(className = "android.app.ActivityTaskManager")
  public static class ActivityTaskManagerService {
    @Implementation
    protected static IActivityTaskManager getService() {
      return SystemServer.get().activityTaskManager();
    }
  }

  @Implements(className = "android.view.WindowManagerGlobal")
  public static class WindowSession extends ShadowWindowManagerGlobal {
    @Implementation
    protected static IWindowSession getWindowSession() {
      return SystemServer.get().windows().session();
    }

    @Implementation
    protected static IWindowSession peekWindowSession() {
      return SystemServer.get().windows().session();
    }
  }

  /** The user has unlocked the phone, so that all data can be read. */
  @Implements(className = "android.os.UserManager")
  public static class UnlockedUser extends ShadowUserManager {
    @Implementation
    protected boolean isUserUnlockingOrUnlocked(int userId) {
      return true;
    }
  }

  /** Where Android's own code ends the app's process, it ends no more than that. */
  @Implements(android.os.Process.class)
  public static class EndedProcess extends ShadowProcess {
    @Implementation
    protected static void killProcess(int pid) {
      Calls.killProcess(pid);
    }

    /** Tasks say so before they begin, Android's own included, which ask for no turn. */
    @Implementation
    protected static void setThreadPriority(int priority) {
      ShadowProcess.setThreadPriority(priority);
      awaitTurn();
    }
  }

  /** Another thread than the main one is about to do something for the app. */
  private static void awaitTurn() {
    if (Looping.isCalm()) {
      Turns.await();
    }
  }

  /**
   * A thread of a process that is gone has nobody to send messages to. Others take theirs in turn,
   * whoever handles them: Android's own code asks for none.
   */
  @Implements(className = "android.os.MessageQueue")
  public static class LivingQueue extends ShadowPausedMessageQueue {
    @Override
    @Implementation
    protected boolean enqueueMessage(Message message, long when) {
      return !Threads.isGone(Thread.currentThread()) && super.enqueueMessage(message, when);
    }

    @Override
    @Implementation
    protected void nativePollOnce(long queue, int timeout) {
      super.nativePollOnce(queue, timeout);
      awaitTurn();
    }
  }

  /** Notifications are kept, and looked at before as on a phone. */
  @Implements(className = "android.app.NotificationManager")
  public static class KeptNotices extends ShadowNotificationManager {
    @RealObject private NotificationManager manager;

    @Override
    @Implementation
    protected void notify(int id, Notification notification) {
      Shadow.directlyOn(
          manager,
          NotificationManager.class,
          "notify",
          ClassParameter.from(int.class, id),
          ClassParameter.from(Notification.class, notification));
    }

    @Override
    @Implementation
    protected void notify(String tag, int id, Notification notification) {
      Shadow.directlyOn(
          manager,
          NotificationManager.class,
          "notify",
          ClassParameter.from(String.class, tag),
          ClassParameter.from(int.class, id),
          ClassParameter.from(Notification.class, notification));
      super.notify(tag, id, notification);
    }
  }

  /** What is copied is kept, and looked at before as on a phone. */
  @Implements(className = "android.content.ClipboardManager")
  public static class KeptClip extends ShadowClipboardManager {
    @RealObject private ClipboardManager manager;

    @Override
    @Implementation
    protected void setPrimaryClip(ClipData clip) {
      Shadow.directlyOn(
          manager,
          ClipboardManager.class,
          "setPrimaryClip",
          ClassParameter.from(ClipData.class, clip));
      super.setPrimaryClip(clip);
    }

    @Override
    @Implementation
    protected void clearPrimaryClip() {
      super.setPrimaryClip(null);
    }
  }

  /** Apps ask who takes an intent before they send it, and who they are. */
  @Implements(className = "android.app.ApplicationPackageManager")
  public static class InstalledPackages extends ShadowApplicationPackageManager {
    @RealObject private ApplicationPackageManager manager;

    @Override
    @Implementation
    protected PackageInfo getPackageInfo(String name, int flags) throws NameNotFoundException {
      PackageInfo info = super.getPackageInfo(name, flags);
      SystemServer.get().packages().sign(info, flags);
      return info;
    }

    @Override
    @Implementation
    protected Drawable getApplicationIcon(String name) throws NameNotFoundException {
      return getApplicationIcon(manager.getApplicationInfo(name, 0));
    }

    @Override
    @Implementation
    protected Drawable getApplicationIcon(ApplicationInfo info) {
      return info.loadIcon(manager);
    }

    @Override
    @Implementation
    protected List<ResolveInfo> queryIntentActivities(Intent intent, int flags) {
      List<ResolveInfo> found = super.queryIntentActivities(intent, flags);
      ActivityInfo other = SystemServer.get().packages().other(intent);
      if (other != null) {
        found = new ArrayList<>(found);
        ResolveInfo one = new ResolveInfo();
        one.activityInfo = other;
        one.isDefault = true;
        found.add(one);
      }
      return found;
    }
  }
}
