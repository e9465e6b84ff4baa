package retap.device;

import android.app.IActivityManager;
import android.app.IActivityTaskManager;
import android.content.ContentResolver;
import android.content.IContentService;
import android.content.pm.IPackageManager;
import android.view.inputmethod.InputMethodManager;
import com.android.internal.view.IInputMethodManager;
import java.io.IOException;
import retap.host.Settings;

/**
 * The system around the app: its parts answer what Android's own code in the app's process asks of
 * the system.
 */
final class SystemServer {
  private static SystemServer current;

  private final int compat;
  private final Packages packages;
  private final Windows windows;
  private final Keyboard keyboard;
  private final Permissions permissions;
  private final Tasks tasks;
  private final Services services;
  private final Alarms alarms = new Alarms();
  private final Card card;
  private final IActivityTaskManager activityTaskManager;
  private final IActivityManager activityManager;
  private final IPackageManager packageManager;

  SystemServer(Screen screen, Packages packages, Permissions permissions, Settings settings)
      throws IOException {
    this.permissions = permissions;
    compat = settings.compat();
    card = new Card(settings.data());
    this.packages = packages;
    windows = new Windows(screen);
    keyboard = new Keyboard(screen, windows, settings.keyboardDp());
    tasks = new Tasks(packages, windows, settings.stay());
    services = new Services(packages, permissions);
    activityTaskManager = Remote.of(IActivityTaskManager.class, tasks);
    activityManager = Remote.of(IActivityManager.class, services);
    packageManager = Remote.of(IPackageManager.class, packages);
    Hidden.set(
        ContentResolver.class,
        "sContentService",
        Remote.of(IContentService.class, new ContentObservers()));
    current = this;
  }

  static SystemServer get() {
    return current;
  }

  /** The version of Android whose ways the app meets where they are known to differ; 0 for none. */
  int compat() {
    return compat;
  }

  Packages packages() {
    return packages;
  }

  Windows windows() {
    return windows;
  }

  Keyboard keyboard() {
    return keyboard;
  }

  /** Gives the app's process this keyboard. */
  void attach(InputMethodManager manager) {
    Hidden.set(manager, "mService", Remote.of(IInputMethodManager.class, keyboard));
  }

  Permissions permissions() {
    return permissions;
  }

  Tasks tasks() {
    return tasks;
  }

  Services services() {
    return services;
  }

  Alarms alarms() {
    return alarms;
  }

  Card card() {
    return card;
  }

  IActivityTaskManager activityTaskManager() {
    return activityTaskManager;
  }

  IPackageManager packageManager() {
    return packageManager;
  }

  IActivityManager activityManager() {
    return activityManager;
  }
}
