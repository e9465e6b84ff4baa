package retap.device;

import android.content.AsyncQueryHandler;
import android.os.AsyncTask;
import android.os.StrictMode;
import android.view.View;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What Android keeps in statics of a process that is gone: classes and methods of the app, of which
 * there are others of the same name after a reset, and work that it had begun.
 */
final class Caches {
  private static final String[][] MAPS = {
    {"android.app.Fragment", "sClassMap"},
    {"android.view.LayoutInflater", "sConstructorMap"},
    {"android.preference.GenericInflater", "sConstructorMap"},
    {"android.animation.PropertyValuesHolder", "sSetterPropertyMap"},
    {"android.animation.PropertyValuesHolder", "sGetterPropertyMap"},
    {"android.animation.PropertyValuesHolder$IntPropertyValuesHolder", "sJNISetterPropertyMap"},
    {"android.animation.PropertyValuesHolder$FloatPropertyValuesHolder", "sJNISetterPropertyMap"},
    {"android.os.Parcel", "mCreators"},
    {"android.transition.TransitionInflater", "sConstructors"},
  };

  private Caches() {}

  static void clear() {
    for (String[] at : MAPS) {
      try {
        Map<?, ?> map = Hidden.get(Class.forName(at[0]), at[1]);
        if (map != null) {
          map.clear();
        }
      } catch (ClassNotFoundException absent) {
        throw new IllegalStateException(absent);
      }
    }
    forgetTasks();
    StrictMode.setThreadPolicy(StrictMode.ThreadPolicy.LAX);
    StrictMode.setVmPolicy(StrictMode.VmPolicy.LAX);
    Hidden.<AtomicInteger>get(View.class, "sNextGeneratedId").set(1);
  }

  /** The tasks of one process must not hold up those of the next, nor be done by its threads. */
  private static void forgetTasks() {
    Deque<?> waiting = Hidden.get(AsyncTask.SERIAL_EXECUTOR, "mTasks");
    waiting.clear();
    Hidden.set(AsyncTask.SERIAL_EXECUTOR, "mActive", null);
    ThreadPoolExecutor pool = (ThreadPoolExecutor) AsyncTask.THREAD_POOL_EXECUTOR;
    pool.setKeepAliveTime(1, TimeUnit.NANOSECONDS);
    pool.allowCoreThreadTimeOut(true);
    Hidden.set(AsyncQueryHandler.class, "sLooper", null);
  }
}
