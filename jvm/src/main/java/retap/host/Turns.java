package retap.host;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The turns of the app's other threads. What the main thread hands to them begins only when the
 * main thread is done with its message or waits, and one thread begins after the other: else what
 * both do would come in another order in every run.
 *
 * <p>The app's code asks for its turn where other threads enter it: in {@code run} and the like.
 */
public final class Turns {
  /** Threads that have asked. */
  private static final List<Turn> ASKED = new ArrayList<>();

  /** In which of the main thread's pauses a thread was last given its turn. */
  private static final ThreadLocal<Long> GIVEN_IN = new ThreadLocal<>();

  /** Counts the main thread's pauses. */
  private static volatile long pause;

  private Turns() {}

  private static final class Turn {
    private final Thread thread = Thread.currentThread();
    private boolean given;

    synchronized void give() {
      given = true;
      notifyAll();
    }

    /** Nobody else may end it: the app may interrupt the thread, and is told so afterwards. */
    synchronized void await() {
      boolean interrupted = false;
      while (!given) {
        try {
          wait();
        } catch (InterruptedException early) {
          interrupted = true;
        }
      }
      if (interrupted) {
        thread.interrupt();
      }
    }
  }

  /** Called by the app's code, on any thread. */
  public static void await() {
    Thread thread = Thread.currentThread();
    Long given = GIVEN_IN.get();
    if (given != null && given == pause || Calls.isMain() || !Threads.takesTurns(thread)) {
      return;
    }
    Turn turn = new Turn();
    synchronized (ASKED) {
      // One of a process that is gone begins nothing more, and nobody gives it a turn.
      if (!Threads.isGone(thread)) {
        ASKED.add(turn);
      }
    }
    turn.await();
    GIVEN_IN.set(pause);
  }

  /** The main thread goes on: whoever begins something now waits for its next pause. */
  static void end() {
    // Nobody but the main thread counts.
    pause = pause + 1;
  }

  /** Gives the next turn, in the order in which threads were made. Says whether anybody waits. */
  static boolean giveNext() {
    Turn next;
    synchronized (ASKED) {
      next = ASKED.stream().min(Comparator.comparingLong(turn -> turn.thread.getId())).orElse(null);
      ASKED.remove(next);
    }
    if (next != null) {
      next.give();
    }
    return next != null;
  }

  /** A new process of the app begins: threads of the one before it wait for ever. */
  static void begin() {
    synchronized (ASKED) {
      ASKED.clear();
    }
  }
}
