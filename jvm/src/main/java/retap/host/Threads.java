package retap.host;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The app's own threads. The main thread goes on when they have nothing to do, so that what they do
 * comes at the same place in every run; their sleep takes the device's time, not ours.
 */
public final class Threads {
  /**
   * How long another thread may work before the main thread goes on without it, until it rests
   * again. Its working time counts, not the clock on the wall: a busy computer must not change what
   * happens.
   */
  private static final long PATIENCE_NANOS = 1_000_000_000;

  /** One that seems to work and does not, such as one that reads from a socket. */
  private static final long STUCK_NANOS = 5_000_000_000L;

  /** How long threads of a process that is gone may take to end or to rest. */
  private static final long LEAVING_NANOS = 1_000_000_000;

  /** What futures wait with. It keeps what the app has asked for, and cannot be asked for it. */
  private static final String JAVAS_TIMER = "CompletableFutureDelayScheduler";

  private static final ThreadMXBean WORK = ManagementFactory.getThreadMXBean();

  /** Threads of others than the app's process. Those that die ask, while the main thread adds. */
  private static final WeakThreads OTHERS = new WeakThreads();

  private static final WeakThreads ENDLESS = new WeakThreads();

  /** Threads of processes that are gone. */
  private static final WeakThreads GONE = new WeakThreads();

  /** Those of them that were asked to end. */
  private static final WeakThreads LEFT = new WeakThreads();

  /** The system's numbers of threads that are not of the app's process. */
  private static final Set<String> NATIVE_OTHERS = ConcurrentHashMap.newKeySet();

  private static final PriorityQueue<Sleeper> SLEEPERS = new PriorityQueue<>();

  /** How long one that is woken may take to notice. */
  private static final long NOTICING_NANOS = 1_000_000_000;

  /** Whether the main thread waits for the others to rest. */
  private static volatile boolean settling;

  /** Whether the app's code is on the clock of the wall. */
  private static volatile boolean wild;

  private Threads() {}

  public static void setWild(boolean now) {
    wild = now;
  }

  private static class Sleeper implements Comparable<Sleeper> {
    final long until;
    boolean awake;

    Sleeper(long until) {
      this.until = until;
    }

    synchronized void wake() {
      awake = true;
      notifyAll();
    }

    /** Whether it can be seen that it is awake. Java says so as soon as one is notified. */
    boolean hasNoticed() {
      return true;
    }

    @Override
    public final int compareTo(Sleeper other) {
      return Long.compare(until, other.until);
    }
  }

  /** A thread that waits for something else, too. */
  static final class Waiter extends Sleeper {
    private final Thread thread = Thread.currentThread();
    private final boolean parks;
    private boolean over;

    private Waiter(long until, boolean parks) {
      super(until);
      this.parks = parks;
    }

    @Override
    synchronized void wake() {
      if (over) {
        return;
      }
      awake = true;
      if (parks) {
        LockSupport.unpark(thread);
      } else {
        thread.interrupt();
      }
    }

    /** It waits no more. Says whether that is because its time is over. */
    boolean end() {
      synchronized (SLEEPERS) {
        SLEEPERS.remove(this);
      }
      synchronized (this) {
        if (!over && awake && !parks) {
          // What it waited for has come at the same moment: nobody has interrupted it.
          Thread.interrupted();
        }
        over = true;
        return awake;
      }
    }

    @Override
    synchronized boolean hasNoticed() {
      Thread.State state = thread.getState();
      return over || state != Thread.State.WAITING && state != Thread.State.TIMED_WAITING;
    }
  }

  /** Something that is begun when its time has come, other than a thread that goes on. */
  private static final class Beginning extends Sleeper {
    private final Runnable begin;
    private final BooleanSupplier begun;

    Beginning(long until, Runnable begin, BooleanSupplier begun) {
      super(until);
      this.begin = begin;
      this.begun = begun;
    }

    @Override
    void wake() {
      begin.run();
    }

    @Override
    boolean hasNoticed() {
      return begun.getAsBoolean();
    }
  }

  /**
   * Begins something when the device's clock shows this, on whatever thread lets time pass. It says
   * itself whether it can be seen that it has begun.
   */
  static void at(long nanos, Runnable begin, BooleanSupplier begun) {
    if (isGone(Thread.currentThread())) {
      // Its process is gone, and the device's clock is another one's now.
      return;
    }
    synchronized (SLEEPERS) {
      SLEEPERS.add(new Beginning(nanos, begin, begun));
    }
  }

  /** A new process of the app begins: threads that there are belong to nobody. */
  public static void begin() {
    List<Thread> old = all();
    old.removeIf(Threads::isRenewed);
    synchronized (SLEEPERS) {
      SLEEPERS.clear();
    }
    List<Thread> left = new ArrayList<>();
    for (Thread thread : old) {
      if (OTHERS.contains(thread) || thread == Thread.currentThread() || !isOfTheApp(thread)) {
        continue;
      }
      GONE.add(thread);
      if (!waitsForMessages(thread)) {
        left.add(thread);
      }
    }
    // Before they are asked to end: what they throw then is nobody's crash. What the main thread
    // throws always is one.
    OTHERS.addAll(old);
    OTHERS.remove(Thread.currentThread());
    NATIVE_OTHERS.clear();
    NATIVE_OTHERS.addAll(NativeThreads.all());
    Turns.begin();
    ENDLESS.clear();
    LEFT.addAll(left);
    left.forEach(Thread::interrupt);
  }

  /** Whether a thread is Java's own and rests, so that the next process may have it. */
  private static boolean isRenewed(Thread thread) {
    if (thread.getName().equals(JAVAS_TIMER)) {
      JvmState.spoil();
    }
    if (!CommonPool.has(thread)) {
      return false;
    }
    boolean renewed = !CommonPool.isBehind() && CommonPool.renew(thread);
    if (!renewed) {
      JvmState.spoil();
    }
    return renewed;
  }

  /**
   * Whether a thread of a process that is gone may still do something: it works, or will when its
   * time has come. It has a moment to end.
   */
  static boolean anyLeftBehind() {
    long began = System.nanoTime();
    while (LEFT.any(Threads::mayStillAct)) {
      if (System.nanoTime() - began > LEAVING_NANOS) {
        return true;
      }
      pause();
    }
    return false;
  }

  /** One that waits for what nobody gives it any more does nothing. */
  private static boolean mayStillAct(Thread thread) {
    return switch (thread.getState()) {
      case NEW, TERMINATED, WAITING -> false;
      case RUNNABLE, BLOCKED -> true;
      case TIMED_WAITING -> !isIdleWorker(thread) && !waitsForMessages(thread);
    };
  }

  /**
   * Whether it belongs to a pool of threads, and waits for work until it is not needed any more.
   */
  private static boolean isIdleWorker(Thread thread) {
    boolean idle = false;
    for (StackTraceElement frame : thread.getStackTrace()) {
      if (wild && frame.getClassName().endsWith("$DelayedWorkQueue")) {
        // A task of its comes on the clock of the wall.
        return false;
      }
      idle |= frame.getMethodName().equals("getTask");
    }
    return idle;
  }

  /** Whether a thread belongs to the process of the app that runs now. */
  static boolean isCurrent(Thread thread) {
    return !OTHERS.contains(thread);
  }

  /** All threads of the process of the app that runs now, and this one. */
  static List<Thread> current() {
    return all().stream().filter(Threads::isCurrent).toList();
  }

  /**
   * Whether a thread begins what it is given only in its turn. One that works without end does not:
   * nobody waits for it.
   */
  static boolean takesTurns(Thread thread) {
    return GONE.contains(thread) || !OTHERS.contains(thread) && !ENDLESS.contains(thread);
  }

  /** Whether a thread belongs to a process that is gone: what it says concerns nobody. */
  public static boolean isGone(Thread thread) {
    return GONE.contains(thread);
  }

  private static boolean isOfTheApp(Thread thread) {
    return thread.getContextClassLoader() instanceof AppClasses;
  }

  /**
   * Whether it waits for messages: one that is interrupted there looks for them without a pause.
   * One that works on a message does not wait.
   */
  private static boolean waitsForMessages(Thread thread) {
    for (StackTraceElement frame : thread.getStackTrace()) {
      if (frame.getClassName().equals("android.os.MessageQueue")) {
        String method = frame.getMethodName();
        return method.contains("next") || method.contains("nativePollOnce");
      }
      if (frame.getClassName().equals("android.os.Handler")) {
        return false;
      }
    }
    return false;
  }

  /** Waits until the app's threads rest. Says whether it had to wait. */
  public static boolean settle() {
    settling = true;
    try {
      return settled();
    } finally {
      settling = false;
      Turns.end();
    }
  }

  /** Whether the main thread waits for the others to rest: then it is who lets time pass. */
  static boolean isSettling() {
    return settling;
  }

  private static boolean settled() {
    boolean waited = false;
    long began = System.nanoTime();
    long restedAt = began;
    Map<Thread, Effort> efforts = new IdentityHashMap<>();
    while (true) {
      Thread busy = firstBusy();
      if (busy == null) {
        boolean woken = System.nanoTime() - restedAt < NOTICING_NANOS && anyIsWoken();
        if (!woken && !Turns.giveNext()) {
          return waited;
        }
        waited = true;
        if (woken) {
          pause();
        } else {
          restedAt = System.nanoTime();
        }
        continue;
      }
      waited = true;
      restedAt = System.nanoTime();
      long worked = WORK.getThreadCpuTime(busy.getId());
      if (efforts.computeIfAbsent(busy, ignored -> new Effort(worked)).isTooMuch(worked)) {
        ENDLESS.add(busy);
        continue;
      }
      if (System.nanoTime() - began < 200_000) {
        Thread.onSpinWait();
      } else {
        pause();
      }
    }
  }

  /** What a thread has worked since it is waited for. */
  private static final class Effort {
    private final long first;
    private long last;
    private long movedAt = System.nanoTime();

    Effort(long worked) {
      first = worked;
      last = worked;
    }

    boolean isTooMuch(long worked) {
      if (worked != last) {
        last = worked;
        movedAt = System.nanoTime();
      }
      return worked - first > PATIENCE_NANOS || System.nanoTime() - movedAt > STUCK_NANOS;
    }
  }

  private static void pause() {
    try {
      Thread.sleep(0, 200_000);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static Thread firstBusy() {
    for (Thread thread : all()) {
      if (OTHERS.contains(thread) || thread == Thread.currentThread()) {
        continue;
      }
      Thread.State state = thread.getState();
      boolean works = state == Thread.State.RUNNABLE || state == Thread.State.BLOCKED;
      if (state == Thread.State.BLOCKED && waitsForThisOne(thread)) {
        continue;
      }
      if (!works) {
        ENDLESS.remove(thread);
      } else if (!ENDLESS.contains(thread)) {
        return thread;
      }
    }
    return null;
  }

  /** Whether a thread has been woken, has something to do, and has not come to it yet. */
  private static boolean anyIsWoken() {
    int waiting = 0;
    int working = 0;
    for (Thread thread : all()) {
      if (OTHERS.contains(thread) || thread == Thread.currentThread()) {
        continue;
      }
      switch (thread.getState()) {
        case WAITING, TIMED_WAITING -> waiting++;
        default -> working++;
      }
    }
    return waiting > 0 && NativeThreads.working(NATIVE_OTHERS) > working;
  }

  /** Whether it is blocked by a lock of the thread that asks. */
  private static boolean waitsForThisOne(Thread thread) {
    ThreadInfo about = WORK.getThreadInfo(thread.getId());
    return about != null && about.getLockOwnerId() == Thread.currentThread().getId();
  }

  private static List<Thread> all() {
    ThreadGroup root = Thread.currentThread().getThreadGroup();
    while (root.getParent() != null) {
      root = root.getParent();
    }
    Thread[] found = new Thread[root.activeCount() + 16];
    int count = root.enumerate(found, true);
    List<Thread> threads = new ArrayList<>(count);
    for (int at = 0; at < count; at++) {
      threads.add(found[at]);
    }
    return threads;
  }

  /** This thread begins to wait for something, at most until the device's clock shows this. */
  static Waiter beginWait(long nanos, boolean parks) {
    Waiter waiter = new Waiter(nanos, parks);
    synchronized (SLEEPERS) {
      SLEEPERS.add(waiter);
    }
    return waiter;
  }

  /** A thread of the app sleeps until the device's clock shows this. */
  static void sleepUntil(long nanos) throws InterruptedException {
    Sleeper sleeper = new Sleeper(nanos);
    if (isGone(Thread.currentThread())) {
      sleepForEver(sleeper);
    }
    synchronized (SLEEPERS) {
      SLEEPERS.add(sleeper);
    }
    synchronized (sleeper) {
      while (!sleeper.awake) {
        sleeper.wait();
      }
    }
  }

  /**
   * Its process is gone, and the device's clock is another one's now. It does not wake up, whoever
   * asks it to.
   */
  private static void sleepForEver(Object place) {
    synchronized (place) {
      while (true) {
        try {
          place.wait();
        } catch (InterruptedException ignored) {
          // That is for apps that want to end.
        }
      }
    }
  }

  /** When the next one wakes up, on the device's clock. */
  public static long nextWaking() {
    synchronized (SLEEPERS) {
      return SLEEPERS.isEmpty() ? Long.MAX_VALUE : SLEEPERS.peek().until;
    }
  }

  /** Wakes all whose time has come. Says whether there were any. */
  public static boolean wake(long nanos) {
    boolean woken = false;
    while (wakeFirst(nanos)) {
      woken = true;
      // One at a time, so that their order is the same in every run.
      settle();
    }
    return woken;
  }

  /** Wakes the first whose time has come. Says whether there was one. */
  static boolean wakeFirst(long nanos) {
    Sleeper first;
    synchronized (SLEEPERS) {
      first = SLEEPERS.peek();
      if (first == null || first.until > nanos) {
        return false;
      }
      SLEEPERS.poll();
    }
    first.wake();
    long woken = System.nanoTime();
    while (!first.hasNoticed() && System.nanoTime() - woken < NOTICING_NANOS) {
      pause();
    }
    return true;
  }
}
