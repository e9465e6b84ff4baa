package retap.host;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;

/**
 * What the app's code calls to wait with a limit. Each waits without one, until what it waits for
 * has come or the device's clock shows that the time is over.
 */
public final class Waits {
  private Waits() {}

  /** Waits without a limit, until it is interrupted. */
  private interface Wait {
    void forIt() throws InterruptedException, ExecutionException;
  }

  /** Says whether the time was over before it came. */
  private static boolean isLate(long nanos, Wait wait)
      throws InterruptedException, ExecutionException {
    Threads.Waiter waiter = Threads.beginWait(Calls.after(nanos), false);
    boolean late = false;
    try {
      wait.forIt();
    } catch (InterruptedException interrupted) {
      late = waiter.end();
      if (!late) {
        throw interrupted;
      }
    } finally {
      waiter.end();
    }
    return late;
  }

  /** The same for what cannot fail. */
  private static boolean isLateFor(long nanos, Interruptible wait) throws InterruptedException {
    try {
      return isLate(nanos, wait::forIt);
    } catch (ExecutionException never) {
      throw new IllegalStateException(never);
    }
  }

  private interface Interruptible {
    void forIt() throws InterruptedException;
  }

  /** A thread of a process that is gone has no device's time. */
  private static boolean isInDeviceTime(long time) {
    return time > 0 && !Threads.isGone(Thread.currentThread());
  }

  public static void wait(Object on, long millis) throws InterruptedException {
    if (isInDeviceTime(millis)) {
      isLateFor(TimeUnit.MILLISECONDS.toNanos(millis), on::wait);
    } else {
      on.wait(millis);
    }
  }

  public static void wait(Object on, long millis, int nanos) throws InterruptedException {
    wait(on, nanos > 0 && millis < Long.MAX_VALUE ? millis + 1 : millis);
  }

  public static void join(Thread thread, long millis) throws InterruptedException {
    if (isInDeviceTime(millis)) {
      isLateFor(TimeUnit.MILLISECONDS.toNanos(millis), thread::join);
    } else {
      thread.join(millis);
    }
  }

  public static Object get(Future<?> future, long time, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    if (!isInDeviceTime(time)) {
      return future.get(time, unit);
    }
    Object[] result = {null};
    if (isLate(unit.toNanos(time), () -> result[0] = future.get())) {
      throw new TimeoutException();
    }
    return result[0];
  }

  public static boolean await(CountDownLatch latch, long time, TimeUnit unit)
      throws InterruptedException {
    return isInDeviceTime(time)
        ? !isLateFor(unit.toNanos(time), latch::await)
        : latch.await(time, unit);
  }

  public static boolean await(Condition condition, long time, TimeUnit unit)
      throws InterruptedException {
    return isInDeviceTime(time)
        ? !isLateFor(unit.toNanos(time), condition::await)
        : condition.await(time, unit);
  }

  public static long awaitNanos(Condition condition, long nanos) throws InterruptedException {
    if (!isInDeviceTime(nanos)) {
      return condition.awaitNanos(nanos);
    }
    long end = Calls.after(nanos);
    boolean late = isLateFor(nanos, condition::await);
    return late ? Math.min(0, end - Calls.after(0)) : Math.max(1, end - Calls.after(0));
  }

  public static boolean tryAcquire(Semaphore semaphore, long time, TimeUnit unit)
      throws InterruptedException {
    return isInDeviceTime(time)
        ? !isLateFor(unit.toNanos(time), semaphore::acquire)
        : semaphore.tryAcquire(time, unit);
  }

  public static boolean tryLock(Lock lock, long time, TimeUnit unit) throws InterruptedException {
    return isInDeviceTime(time)
        ? !isLateFor(unit.toNanos(time), lock::lockInterruptibly)
        : lock.tryLock(time, unit);
  }

  public static Object poll(BlockingQueue<?> queue, long time, TimeUnit unit)
      throws InterruptedException {
    if (!isInDeviceTime(time)) {
      return queue.poll(time, unit);
    }
    Object[] taken = {null};
    isLateFor(unit.toNanos(time), () -> taken[0] = queue.take());
    return taken[0];
  }

  public static boolean awaitTermination(ExecutorService service, long time, TimeUnit unit)
      throws InterruptedException {
    if (!isInDeviceTime(time)) {
      return service.awaitTermination(time, unit);
    }
    Interruptible end = () -> service.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
    return !isLateFor(unit.toNanos(time), end);
  }

  public static void parkNanos(long nanos) {
    parkNanos(null, nanos);
  }

  public static void parkNanos(Object on, long nanos) {
    if (!isInDeviceTime(nanos)) {
      LockSupport.parkNanos(on, nanos);
      return;
    }
    Threads.Waiter waiter = Threads.beginWait(Calls.after(nanos), true);
    try {
      LockSupport.park(on);
    } finally {
      waiter.end();
    }
  }
}
