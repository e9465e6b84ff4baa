package retap.host;

import java.lang.reflect.Field;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;

/**
 * The threads of the pool that Java has for everybody. They outlive the app's process that needed
 * them first, and work for the next one, too.
 */
final class CommonPool {
  private static final String NAME = "ForkJoinPool.commonPool-worker-";

  private CommonPool() {}

  static boolean has(Thread thread) {
    return thread instanceof ForkJoinWorkerThread worker
        && worker.getPool() == ForkJoinPool.commonPool();
  }

  /** Whether something of a process that is gone is still to be done. */
  static boolean isBehind() {
    ForkJoinPool pool = ForkJoinPool.commonPool();
    return pool.hasQueuedSubmissions() || pool.getQueuedTaskCount() > 0;
  }

  /** Makes one of its threads as good as new. Says whether that was possible. */
  static boolean renew(Thread thread) {
    for (StackTraceElement frame : thread.getStackTrace()) {
      if (!frame.getClassName().startsWith("java.") && !frame.getClassName().startsWith("jdk.")) {
        return false;
      }
    }
    thread.setName(NAME + (((ForkJoinWorkerThread) thread).getPoolIndex() + 1));
    thread.setPriority(Thread.NORM_PRIORITY);
    thread.setContextClassLoader(ClassLoader.getSystemClassLoader());
    thread.setUncaughtExceptionHandler(null);
    try {
      for (String name : new String[] {"threadLocals", "inheritableThreadLocals"}) {
        Field values = Thread.class.getDeclaredField(name);
        values.setAccessible(true);
        values.set(thread, null);
      }
      return true;
    } catch (ReflectiveOperationException | RuntimeException elsewhere) {
      return false;
    }
  }
}
