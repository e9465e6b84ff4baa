package retap.host;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * How long an app may keep its main thread with one message. What counts is the time that the
 * thread has worked, not the time on the wall: on a busy computer everything takes long. A thread
 * that does not work at all waits for something that may never come; it is given longer.
 */
public final class Patience {
  private static final long WORKING_NANOS = 10_000_000_000L;
  private static final long WAITING_NANOS = 20_000_000_000L;

  /** A thread that works less than this in a look is taken to wait. */
  private static final long NOTHING_NANOS = 2_000_000;

  /** What a look counts for at most: this computer may have stood still between two. */
  private static final long MOST_IN_A_LOOK = 1_000_000_000;

  /** Counts what the main thread is done with. */
  private static volatile long done;

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private long first = -1;
  private long worked;
  private long lookedAt = System.nanoTime();
  private long waited;
  private long doneBefore = done;

  /** The main thread is done with a message, or with waiting for other threads. */
  @SuppressWarnings("NonAtomicOperationOnVolatileField")
  public static void begin() {
    // Nobody but the main thread counts.
    done++;
  }

  /** Which message the main thread is busy with. */
  static long message() {
    return done;
  }

  /** How long the thread has worked with its message, as far as was seen. */
  long worked() {
    return first < 0 ? 0 : worked - first;
  }

  /** Whether the thread has been busy for too long. To be asked now and then. */
  boolean isOver(Thread thread) {
    long now = threads.getThreadCpuTime(thread.getId());
    long at = System.nanoTime();
    if (first < 0 || done != doneBefore) {
      doneBefore = done;
      first = now;
      worked = now;
      waited = 0;
    }
    boolean waits = now - worked <= NOTHING_NANOS;
    waited = waits ? waited + Math.min(at - lookedAt, MOST_IN_A_LOOK) : 0;
    worked = now;
    lookedAt = at;
    return now - first > WORKING_NANOS || waited > WAITING_NANOS;
  }
}
