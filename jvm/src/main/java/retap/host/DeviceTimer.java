package retap.host;

import java.lang.reflect.Field;
import java.util.Date;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.TimeUnit;

/**
 * What the app gets for {@link Timer}, and what its own ones are made of: tasks wait in the
 * device's time, and are done by the timer's own thread.
 */
public class DeviceTimer extends Timer {
  private volatile boolean over;

  public DeviceTimer() {}

  public DeviceTimer(boolean daemon) {
    super(daemon);
  }

  public DeviceTimer(String name) {
    super(name);
  }

  public DeviceTimer(String name, boolean daemon) {
    super(name, daemon);
  }

  @Override
  public void schedule(TimerTask task, long delay) {
    begin(task, after(delay), 0);
  }

  @Override
  public void schedule(TimerTask task, Date time) {
    begin(task, time.getTime(), 0);
  }

  @Override
  public void schedule(TimerTask task, long delay, long period) {
    begin(task, after(delay), -positive(period));
  }

  @Override
  public void schedule(TimerTask task, Date first, long period) {
    begin(task, first.getTime(), -positive(period));
  }

  @Override
  public void scheduleAtFixedRate(TimerTask task, long delay, long period) {
    begin(task, after(delay), positive(period));
  }

  @Override
  public void scheduleAtFixedRate(TimerTask task, Date first, long period) {
    begin(task, first.getTime(), positive(period));
  }

  @Override
  public void cancel() {
    over = true;
    super.cancel();
  }

  private static long after(long delay) {
    if (delay < 0) {
      throw new IllegalArgumentException("Negative delay.");
    }
    return Calls.currentTimeMillis() + delay;
  }

  private static long positive(long period) {
    if (period <= 0) {
      throw new IllegalArgumentException("Non-positive period.");
    }
    return period;
  }

  private void begin(TimerTask task, long time, long period) {
    if (time < 0) {
      throw new IllegalArgumentException("Illegal execution time.");
    }
    if (over) {
      throw new IllegalStateException("Timer already cancelled.");
    }
    TaskFields.begin(task, time, period);
    at(time, task);
  }

  private void at(long time, TimerTask task) {
    long wait = time - Calls.currentTimeMillis();
    if (wait <= 0) {
      hand(task);
    } else {
      Threads.at(Calls.after(TimeUnit.MILLISECONDS.toNanos(wait)), () -> hand(task), () -> true);
    }
  }

  /** Its time has come: the timer's thread begins it. */
  private void hand(TimerTask task) {
    if (!over) {
      super.schedule(new Turn(task), 0);
    }
  }

  /** One time that a task is done. */
  private final class Turn extends TimerTask {
    private final TimerTask task;

    Turn(TimerTask task) {
      this.task = task;
    }

    @Override
    public void run() {
      Long next = TaskFields.done(task, Calls.currentTimeMillis());
      if (next == null) {
        return;
      }
      if (next > 0) {
        at(next, task);
      }
      try {
        task.run();
      } catch (RuntimeException | Error failure) {
        // The thread ends, and with it the timer.
        over = true;
        throw failure;
      }
    }
  }

  /** What Java's timers keep in a task. */
  private static final class TaskFields {
    private static final int VIRGIN = 0;
    private static final int SCHEDULED = 1;
    private static final int EXECUTED = 2;
    private static final int CANCELLED = 3;

    private static final Field STATE = field("state");
    private static final Field NEXT = field("nextExecutionTime");
    private static final Field PERIOD = field("period");
    private static final Field LOCK = field("lock");

    private static Field field(String name) {
      try {
        Field field = TimerTask.class.getDeclaredField(name);
        field.setAccessible(true);
        return field;
      } catch (ReflectiveOperationException elsewhere) {
        throw new IllegalStateException(elsewhere);
      }
    }

    static void begin(TimerTask task, long time, long period) {
      try {
        synchronized (LOCK.get(task)) {
          if (STATE.getInt(task) != VIRGIN) {
            throw new IllegalStateException("Task already scheduled or cancelled");
          }
          STATE.setInt(task, SCHEDULED);
          NEXT.setLong(task, time);
          PERIOD.setLong(task, period);
        }
      } catch (IllegalAccessException never) {
        throw new IllegalStateException(never);
      }
    }

    /** When it is done again after now, or 0; null when it is not to be done at all. */
    static Long done(TimerTask task, long now) {
      try {
        synchronized (LOCK.get(task)) {
          if (STATE.getInt(task) == CANCELLED) {
            return null;
          }
          long period = PERIOD.getLong(task);
          if (period == 0) {
            STATE.setInt(task, EXECUTED);
            return 0L;
          }
          long next = period < 0 ? now - period : NEXT.getLong(task) + period;
          NEXT.setLong(task, next);
          return next;
        }
      } catch (IllegalAccessException never) {
        throw new IllegalStateException(never);
      }
    }
  }
}
