package retap.device;

import android.os.Looper;
import android.os.SystemClock;
import java.time.Duration;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowChoreographer;
import org.robolectric.shadows.ShadowLooper;
import org.robolectric.shadows.ShadowPausedLooper;
import org.robolectric.shadows.ShadowSystemClock;
import retap.host.Patience;
import retap.host.Threads;

/** The main thread's messages, and the time that passes between them. */
final class Looping {
  /** Nothing to do for so long counts as idle. */
  private static final long QUIET_MS = 200;

  /** Who sleeps longer than a hundred years does not wake up. */
  private static final long FOREVER_MS = Duration.ofDays(36_525).toMillis();

  /** Messages that are done while the clock stands still. */
  private static final int MOST_AT_ONCE = 2_000;

  /** Messages that are done in a millisecond from then on, until there is a rest. */
  private static final int MOST_WITHOUT_REST = 1;

  /** Whether the main thread waits for the app's others. */
  private static boolean calm = true;

  /** Whether the main thread has more to do than it gets done: something posts itself for ever. */
  private static boolean restless;

  private Looping() {}

  /** A new process begins, in which the main thread waits for the app's others, or does not. */
  static void begin(boolean calmly) {
    calm = calmly;
    restless = false;
  }

  static boolean isCalm() {
    return calm;
  }

  /** Does everything that is due, on the main thread and on the app's others. */
  static void idle() {
    ShadowPausedLooper looper = looper();
    int most = restless ? MOST_WITHOUT_REST : MOST_AT_ONCE;
    for (int done = 0; done < most; done++) {
      boolean woken = Threads.wake(SystemClock.uptimeMillis() * 1_000_000);
      boolean worked = !calm || Threads.settle() || woken;
      Patience.begin();
      if (due() > SystemClock.uptimeMillis()) {
        if (calm && worked) {
          continue;
        }
        restless = false;
        return;
      }
      looper.runOneTask();
    }
    // Something posts itself again and again: time goes on, as it does on a phone.
    restless = true;
    advanceTo(SystemClock.uptimeMillis() + 1);
  }

  /** Lets time pass, and does what becomes due. */
  static void pass(long millis) {
    long end = SystemClock.uptimeMillis() + Math.min(millis, FOREVER_MS);
    idle();
    for (long next = next(); next <= end; next = next()) {
      advanceTo(next);
      idle();
    }
    advanceTo(end);
    idle();
  }

  /**
   * Lets time pass until nothing is to be done for a while. Says whether that came within so long.
   */
  static boolean settle(long within) {
    long end = SystemClock.uptimeMillis() + within;
    idle();
    while (true) {
      long now = SystemClock.uptimeMillis();
      long next = next();
      if (next > now + QUIET_MS) {
        return true;
      }
      if (next > end) {
        return false;
      }
      advanceTo(next);
      idle();
    }
  }

  /** When the next message or frame is due, or one of the app's threads wakes up. */
  private static long next() {
    long frame = (ShadowChoreographer.getNextVsyncTimeNanos() + 999_999) / 1_000_000;
    return Math.min(
        Math.min(due(), frame == 0 ? Long.MAX_VALUE : frame), millis(Threads.nextWaking()));
  }

  /** When the next message is due. */
  private static long due() {
    long message = looper().getNextScheduledTaskTime().toMillis();
    return message == 0 ? Long.MAX_VALUE : message;
  }

  /** Lets time pass while nothing is done. */
  static void skip(long millis) {
    long now = SystemClock.uptimeMillis();
    advanceTo(now + Math.min(millis, FOREVER_MS));
  }

  /**
   * Lets time pass while the main thread sleeps or spins. Others go on; its own messages wait, and
   * so do those of others that do something again and again.
   */
  static void sleep(long millis) {
    long end = SystemClock.uptimeMillis() + Math.min(millis, FOREVER_MS);
    for (int steps = 0; steps < MOST_AT_ONCE; steps++) {
      // One that was just started has yet to say how long it sleeps.
      Threads.settle();
      long next = Math.min(millis(Threads.nextWaking()), millis(nextOfOthers()));
      if (next > end) {
        break;
      }
      advanceTo(next);
      Threads.wake(SystemClock.uptimeMillis() * 1_000_000);
    }
    advanceTo(end);
  }

  /** When the next message is due on another thread, in nanoseconds. Some are at it already. */
  static long nextOfOthers() {
    long now = SystemClock.uptimeMillis();
    long next = Long.MAX_VALUE;
    for (Looper looper : ShadowLooper.getAllLoopers()) {
      if (looper != Looper.getMainLooper()) {
        ShadowPausedLooper shadow = Shadow.extract(looper);
        long due = shadow.getNextScheduledTaskTime().toMillis();
        next = due > now ? Math.min(next, due) : next;
      }
    }
    return next == Long.MAX_VALUE ? next : next * 1_000_000;
  }

  private static long millis(long nanos) {
    return nanos > Long.MAX_VALUE - 999_999 ? Long.MAX_VALUE : (nanos + 999_999) / 1_000_000;
  }

  static void advanceTo(long millis) {
    long ahead = millis - SystemClock.uptimeMillis();
    if (ahead > 0) {
      ShadowSystemClock.advanceBy(Duration.ofMillis(ahead));
    }
  }

  private static ShadowPausedLooper looper() {
    return Shadow.extract(Looper.getMainLooper());
  }
}
