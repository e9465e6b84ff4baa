package retap.device;

import android.app.IActivityManager;
import android.app.IActivityTaskManager;
import android.content.ContentResolver;
import android.content.IContentService;
import android.content.pm.IPackageManager;

/** The system around the app: its parts answer what Android's own code in the app's process asks of the system. */
final class SystemServer {
  private static SystemServer current;

  private final Windows windows;
  private final Tasks tasks;
  private final Services services;
  private final IActivityTaskManager activityTaskManager;
  private final IActivityManager activityManager;
  private final IPackageManager packageManager;

  SystemServer(Screen screen, Packages packages) {
    windows = new Windows(screen);
    tasks = new Tasks(packages, windows);
    services = new Services(packages);
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

  Windows windows() {
    return windows;
  }

  Tasks tasks() {
    return tasks;
  }

  Services services() {
    return services;
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
