package retap.host;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;

/** The heap, and who has filled it. */
final class Memory {
  /** Of ten parts of the heap. The device itself needs two. */
  private static final long FULL_TENTHS = 8;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private Memory() {}

  /** Whether there is next to nothing left. Asking takes no memory. */
  static boolean isFull() {
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory() > runtime.maxMemory() / 10 * FULL_TENTHS;
  }

  /**
   * Whether something failed for want of heap, and not of something else that Java calls memory.
   */
  static boolean isHeap(Throwable failure) {
    return failure instanceof OutOfMemoryError
        && (failure.getMessage() == null || failure.getMessage().equals("Java heap space"));
  }

  /** What something failed for: the error in the chain of causes, or null. */
  static OutOfMemoryError error(Throwable failure) {
    for (Throwable cause : Crashes.chain(failure)) {
      if (cause instanceof OutOfMemoryError error) {
        return error;
      }
    }
    return null;
  }

  /**
   * The failure as the one would have it who is to blame: the thread of the app that has asked for
   * most. Who asks for the last bit is a matter of chance.
   */
  static Throwable blamed(Throwable failure, AppCode code) {
    if (isOfTheApp(failure.getStackTrace(), code)) {
      return failure;
    }
    StackTraceElement[] most = null;
    long bytes = -1;
    for (Thread thread : Threads.current()) {
      StackTraceElement[] stack = thread.getStackTrace();
      long taken = THREADS.getThreadAllocatedBytes(thread.getId());
      if (taken > bytes && isOfTheApp(stack, code)) {
        bytes = taken;
        most = stack;
      }
    }
    if (most == null) {
      return failure;
    }
    OutOfMemoryError told = new OutOfMemoryError(failure.getMessage());
    told.setStackTrace(most);
    return told;
  }

  private static boolean isOfTheApp(StackTraceElement[] stack, AppCode code) {
    return Arrays.stream(stack).anyMatch(frame -> code.has(frame.getClassName()));
  }
}
