package retap.host;

import java.io.IOException;
import java.util.Calendar;
import java.util.Random;
import java.util.TimeZone;
import java.util.UUID;

/** What the app's code calls in place of the host's own. */
public final class Calls {
  /** The clock that every app has at a reset: Monday, 5 January 2026, 10:00 UTC. */
  private static final long EPOCH = 1_767_607_200_000L;

  private static volatile Clock clock;
  private static Random dice = new Random(0);

  private Calls() {}

  /** The device's clock. */
  public interface Clock {
    long uptimeNanos();

    /** Whether this is the main thread. */
    boolean isMain();

    /** Lets time pass while the main thread does nothing. */
    void pass(long millis);
  }

  /** The end of the app's process, on its own wish. It unwinds the thread that asked for it. */
  public static final class AppExit extends Error {
    AppExit(int status) {
      super("the app ended itself with status " + status, null, false, false);
    }
  }

  public static synchronized void begin(Clock with, long seed) {
    clock = with;
    dice = new Random(seed);
  }

  public static synchronized long seed() {
    return dice.nextLong();
  }

  public static synchronized double random() {
    return dice.nextDouble();
  }

  public static synchronized UUID randomUuid() {
    byte[] bytes = new byte[16];
    dice.nextBytes(bytes);
    return UUID.nameUUIDFromBytes(bytes);
  }

  public static long currentTimeMillis() {
    return EPOCH + clock.uptimeNanos() / 1_000_000;
  }

  public static long nanoTime() {
    return clock.uptimeNanos();
  }

  public static Calendar calendar() {
    Calendar now = Calendar.getInstance();
    setNow(now);
    return now;
  }

  public static Calendar calendar(TimeZone zone) {
    Calendar now = Calendar.getInstance(zone);
    setNow(now);
    return now;
  }

  public static void setNow(Calendar calendar) {
    calendar.setTimeInMillis(currentTimeMillis());
  }

  /** Sleeping takes the device's time. The main thread lets it pass; others wait for it. */
  public static void sleep(long millis) throws InterruptedException {
    if (millis < 0) {
      throw new IllegalArgumentException("timeout value is negative");
    }
    Clock now = clock;
    if (now.isMain()) {
      now.pass(millis);
    } else {
      Threads.sleepUntil(now.uptimeNanos() + millis * 1_000_000);
    }
  }

  public static void uninterruptibleSleep(long millis) {
    try {
      sleep(millis);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  public static void sleep(long millis, int nanos) throws InterruptedException {
    sleep(millis + (nanos > 0 ? 1 : 0));
  }

  public static void exit(int status) {
    throw new AppExit(status);
  }

  public static void exit(Runtime runtime, int status) {
    exit(status);
  }

  /** There is no other program than the app on this device. */
  public static Process exec(Runtime runtime, String command) throws IOException {
    throw new IOException(
        "Cannot run program \"" + command + "\": error=2, No such file or directory");
  }

  public static Process exec(Runtime runtime, String[] command) throws IOException {
    return exec(runtime, command.length == 0 ? "" : command[0]);
  }

  /** Native code is for another processor than this one. */
  public static void loadLibrary(String name) {
    throw new UnsatisfiedLinkError("this device cannot load the native library " + name);
  }
}
