package retap.host;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * How long an app may keep its main thread. What counts is the time that the thread has worked, not
 * the time on the wall: on a busy computer everything takes long. A thread that does not work at
 * all waits for something that may never come; it is given longer.
 */
final class Patience {
  private static final long WORKING_NANOS = 10_000_000_000L;
  private static final long WAITING_NANOS = 20_000_000_000L;

  /** A thread that works less than this in a look is taken to wait. */
  private static final long NOTHING_NANOS = 2_000_000;

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private long first = -1;
  private long worked;
  private long idleSince = System.nanoTime();

  /** Whether the thread has been busy for too long. To be asked now and then. */
  boolean isOver(Thread thread) {
    long now = threads.getThreadCpuTime(thread.getId());
    if (first < 0) {
      first = now;
      worked = now;
    }
    if (now - worked > NOTHING_NANOS) {
      idleSince = System.nanoTime();
    }
    worked = now;
    return now - first > WORKING_NANOS || System.nanoTime() - idleSince > WAITING_NANOS;
  }
}
