package retap.host;

import java.util.Set;

/**
 * Lets the device's time pass while the main thread waits for what only comes with time. On a phone
 * it would pass anyway; here the main thread is who lets it pass, and that one waits.
 *
 * <p>Time goes on when nothing else can: in calm mode that is the same moment in every run.
 */
final class Standstill {
  /** Looks in a row at which nobody worked. */
  private static final int ENOUGH_LOOKS = 2;

  /** Who works longer than this while the main thread waits is not waited for. */
  private static final long BUSY_NANOS = 5_000_000_000L;

  /** Who works so long with one message may wait for a word of a thread that sleeps. */
  static final long SPINNING_NANOS = 3_000_000_000L;

  /** Who waits longer than an hour with one message does not respond. */
  private static final long LONGEST_NANOS = 3_600_000_000_000L;

  private final Device device;
  private final boolean wild;
  private int looks;
  private long since = System.nanoTime();
  private long lookedAt = since;
  private long message = Patience.message();
  private long passed;

  Standstill(Device device, boolean wild) {
    this.device = device;
    this.wild = wild;
  }

  /** Looks whether the main thread waits, and lets time pass then. To be asked often. */
  void look(Thread main, boolean spins) {
    long now = System.nanoTime();
    long elapsed = now - lookedAt;
    lookedAt = now;
    if (message != Patience.message()) {
      message = Patience.message();
      passed = 0;
      since = now;
    }
    Thread.State state = main.getState();
    boolean waits = state != Thread.State.RUNNABLE && state != Thread.State.TERMINATED;
    if (Threads.isSettling() || !(waits || spins)) {
      looks = 0;
      since = now;
      return;
    }
    if (waits && NativeThreads.working(Set.of()) > 0 && now - since < BUSY_NANOS) {
      looks = 0;
      return;
    }
    if (++looks < ENOUGH_LOOKS) {
      return;
    }
    if (Turns.giveNext()) {
      // It may be the one that the main thread waits for.
      looks = 0;
    } else {
      step(elapsed, wild || state == Thread.State.TIMED_WAITING);
    }
  }

  /**
   * To the next moment at which something happens. Where that is none of ours, or not for us to
   * say, as long as it took here.
   */
  private void step(long elapsed, boolean inOurTime) {
    long now = device.clock() * 1_000;
    long next = wild ? Long.MAX_VALUE : Math.min(Threads.nextWaking(), device.nextMessage());
    if (next == Long.MAX_VALUE && inOurTime) {
      next = now + elapsed;
    }
    if (next == Long.MAX_VALUE || passed + next - now > LONGEST_NANOS) {
      return;
    }
    passed += Math.max(0, next - now);
    device.advanceTo(next);
    Threads.wakeFirst(next);
    // It is to be seen first what comes of it.
    looks = 0;
  }
}
