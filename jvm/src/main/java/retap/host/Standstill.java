package retap.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Lets the device's time pass while the main thread waits for what only comes with time. On a phone
 * it would pass anyway; here the main thread is who lets it pass, and that one waits.
 *
 * <p>Time goes on when nothing else can: in calm mode that is the same moment in every run.
 */
final class Standstill {
  /** The threads of this process. What Java says of them lags behind when they are woken. */
  private static final Path TASKS = Path.of("/proc/self/task");

  private static final Path OWN = Path.of("/proc/thread-self/stat");

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
    if (waits && !allSleep() && now - since < BUSY_NANOS) {
      looks = 0;
      return;
    }
    if (++looks >= ENOUGH_LOOKS) {
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

  /** Whether no thread of this process works or is about to, but for this one. */
  private static boolean allSleep() {
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
      String own = Files.readString(OWN, StandardCharsets.ISO_8859_1).split(" ", 2)[0];
      for (Path task : tasks) {
        if (!task.getFileName().toString().equals(own) && !sleeps(task.resolve("stat"))) {
          return false;
        }
      }
      return true;
    } catch (IOException elsewhere) {
      return false;
    }
  }

  private static boolean sleeps(Path stat) throws IOException {
    try {
      String text = Files.readString(stat, StandardCharsets.ISO_8859_1);
      // Behind the name, in which there may be anything.
      char state = text.charAt(text.lastIndexOf(')') + 2);
      return state != 'R' && state != 'D';
    } catch (IOException ended) {
      return true;
    }
  }
}
