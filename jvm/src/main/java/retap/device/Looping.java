package retap.device;

import android.os.Looper;
import android.os.SystemClock;
import java.time.Duration;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowChoreographer;
import org.robolectric.shadows.ShadowPausedLooper;
import org.robolectric.shadows.ShadowSystemClock;

/** The main thread's messages, and the time that passes between them. */
final class Looping {
  /** Nothing to do for so long counts as idle. */
  private static final long QUIET_MS = 200;

  private Looping() {}

  /** Does everything that is due. */
  static void idle() {
    looper().idle();
  }

  /** Lets time pass, and does what becomes due. */
  static void pass(long millis) {
    long end = SystemClock.uptimeMillis() + millis;
    idle();
    for (long next = next(); next <= end; next = next()) {
      advanceTo(next);
      idle();
    }
    advanceTo(end);
    idle();
  }

  /** Lets time pass until nothing is to be done for a while. Says whether that came within so long. */
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

  /** When the next message or frame is due. */
  private static long next() {
    long message = looper().getNextScheduledTaskTime().toMillis();
    long frame = (ShadowChoreographer.getNextVsyncTimeNanos() + 999_999) / 1_000_000;
    return Math.min(
        message == 0 ? Long.MAX_VALUE : message, frame == 0 ? Long.MAX_VALUE : frame);
  }

  private static void advanceTo(long millis) {
    long ahead = millis - SystemClock.uptimeMillis();
    if (ahead > 0) {
      ShadowSystemClock.advanceBy(Duration.ofMillis(ahead));
    }
  }

  private static ShadowPausedLooper looper() {
    return Shadow.extract(Looper.getMainLooper());
  }
}
