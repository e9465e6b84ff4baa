package retap.host;

import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What the app gets for {@link ScheduledThreadPoolExecutor}, and what its own ones are made of:
 * tasks wait in the device's time. Everything else is Java's own.
 */
public class DeviceScheduler extends ScheduledThreadPoolExecutor {
  /** How long the pool waits for a task whose time has not come. It is told when it has. */
  private static final long NOT_YET = TimeUnit.DAYS.toNanos(36_500);

  /** Tasks for the same moment begin in the order in which they were scheduled. */
  private static final AtomicLong NEXT = new AtomicLong();

  public DeviceScheduler(int threads) {
    super(threads);
  }

  public DeviceScheduler(int threads, ThreadFactory factory) {
    super(threads, factory);
  }

  public DeviceScheduler(int threads, RejectedExecutionHandler handler) {
    super(threads, handler);
  }

  public DeviceScheduler(int threads, ThreadFactory factory, RejectedExecutionHandler handler) {
    super(threads, factory, handler);
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
    return super.schedule(task == null ? null : new Timed(task, due(delay, unit), 0), 0, unit);
  }

  @Override
  public <V> ScheduledFuture<V> schedule(Callable<V> task, long delay, TimeUnit unit) {
    return super.schedule(task == null ? null : new TimedCall<>(task, due(delay, unit)), 0, unit);
  }

  @Override
  public ScheduledFuture<?> scheduleAtFixedRate(
      Runnable task, long initialDelay, long period, TimeUnit unit) {
    Timed timed =
        task == null ? null : new Timed(task, due(initialDelay, unit), nanos(period, unit));
    return super.scheduleAtFixedRate(timed, 0, period, unit);
  }

  @Override
  public ScheduledFuture<?> scheduleWithFixedDelay(
      Runnable task, long initialDelay, long delay, TimeUnit unit) {
    Timed timed =
        task == null ? null : new Timed(task, due(initialDelay, unit), -nanos(delay, unit));
    return super.scheduleWithFixedDelay(timed, 0, delay, unit);
  }

  private static long due(long delay, TimeUnit unit) {
    return Calls.after(Math.max(0, unit.toNanos(delay)));
  }

  /** A clock of milliseconds shows nothing shorter. */
  private static long nanos(long time, TimeUnit unit) {
    return Math.max(TimeUnit.MILLISECONDS.toNanos(1), unit.toNanos(time));
  }

  @Override
  protected <V> RunnableScheduledFuture<V> decorateTask(
      Runnable runnable, RunnableScheduledFuture<V> task) {
    return new Waiting<>(task, (Timed) runnable);
  }

  @Override
  protected <V> RunnableScheduledFuture<V> decorateTask(
      Callable<V> callable, RunnableScheduledFuture<V> task) {
    return new Waiting<>(task, ((TimedCall<V>) callable).time);
  }

  /** A task with its time, on the device's clock. */
  private static class Timed implements Runnable {
    private final Runnable task;

    /** Between beginnings; between an end and a beginning when negative; 0 when there is one. */
    private final long period;

    private volatile long due;

    /** Who waits for the time. */
    private Waiting<?> waiting;

    Timed(Runnable task, long due, long period) {
      this.task = task;
      this.due = due;
      this.period = period;
    }

    @Override
    public void run() {
      task.run();
      if (period != 0) {
        due = period > 0 ? due + period : Calls.after(-period);
        waiting.begin();
      }
    }
  }

  private static final class TimedCall<V> implements Callable<V> {
    private final Callable<V> task;
    private final Timed time;

    TimedCall(Callable<V> task, long due) {
      this.task = task;
      time = new Timed(null, due, 0);
    }

    @Override
    public V call() throws Exception {
      return task.call();
    }
  }

  /** A task in the queue of the pool. */
  private final class Waiting<V> implements RunnableScheduledFuture<V> {
    private final RunnableScheduledFuture<V> task;
    private final Timed time;
    private final long number = NEXT.getAndIncrement();

    Waiting(RunnableScheduledFuture<V> task, Timed time) {
      this.task = task;
      this.time = time;
      time.waiting = this;
      begin();
    }

    private void begin() {
      if (time.due > Calls.after(0)) {
        Threads.at(time.due, this::isDue, this::isBegun);
      }
    }

    /** The pool looks at the first of its queue when that is put there. */
    private void isDue() {
      if (getQueue().remove(this)) {
        getQueue().add(this);
      }
    }

    /** Whether it has begun, or all threads have something else to do. */
    private boolean isBegun() {
      return !getQueue().contains(this) || getActiveCount() >= getPoolSize();
    }

    @Override
    public long getDelay(TimeUnit unit) {
      long left = time.due - Calls.after(0);
      // The pool asks in nanoseconds, and would wait for so long on the clock of the wall.
      return left > 0 && unit == TimeUnit.NANOSECONDS
          ? NOT_YET
          : unit.convert(left, TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      Waiting<?> than = (Waiting<?>) other;
      int order = Long.compare(time.due, than.time.due);
      return order == 0 ? Long.compare(number, than.number) : order;
    }

    @Override
    public boolean isPeriodic() {
      return task.isPeriodic();
    }

    @Override
    public void run() {
      task.run();
    }

    @Override
    public boolean cancel(boolean interrupts) {
      return task.cancel(interrupts);
    }

    @Override
    public boolean isCancelled() {
      return task.isCancelled();
    }

    @Override
    public boolean isDone() {
      return task.isDone();
    }

    @Override
    public V get() throws InterruptedException, ExecutionException {
      return task.get();
    }

    @Override
    public V get(long time, TimeUnit unit)
        throws InterruptedException, ExecutionException, TimeoutException {
      return task.get(time, unit);
    }
  }
}
