package retap.host;

import java.io.IOException;
import java.util.Calendar;
import java.util.Random;
import java.util.UUID;

/** What the app's code calls in place of the host's own. */
public final class Calls {
  /** The clock that every app has at a reset: Monday, 5 January 2026, 10:00 UTC. */
  private static final long EPOCH = 1_767_607_200_000L;

  private static volatile Clock clock = () -> 0;
  private static Random dice = new Random(0);

  private Calls() {}

  /** The device's clock. */
  public interface Clock {
    long uptimeNanos();
  }

  /** The end of the app's process, on its own wish. It unwinds the thread that asked for it. */
  public static final class AppExit extends Error {
    AppExit(int status) {
      super("the app ended itself with status " + status, null, false, false);
    }
  }

  static synchronized void begin(Clock with, long seed) {
    clock = with;
    dice = new Random(seed);
  }

  public static void useClock(Clock with) {
    clock = with;
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
    now.setTimeInMillis(currentTimeMillis());
    return now;
  }

  public static void exit(int status) {
    throw new AppExit(status);
  }

  public static void exit(Runtime runtime, int status) {
    exit(status);
  }

  /** There is no other program than the app on this device. */
  public static Process exec(Runtime runtime, String command) throws IOException {
    throw new IOException("Cannot run program \"" + command + "\": error=2, No such file or directory");
  }

  public static Process exec(Runtime runtime, String[] command) throws IOException {
    return exec(runtime, command.length == 0 ? "" : command[0]);
  }

  /** Native code is for another processor than this one. */
  public static void loadLibrary(String name) {
    throw new UnsatisfiedLinkError("this device cannot load the native library " + name);
  }
}
