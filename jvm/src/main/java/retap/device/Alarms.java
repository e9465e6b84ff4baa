package retap.device;

import android.app.AlarmManager;
import android.app.PendingIntent;
import android.os.Handler;
import android.os.Looper;
import android.os.SystemClock;
import android.os.WorkSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import retap.host.Calls;

/** Alarms that the app has set, in the device's time. They end with the app's process. */
final class Alarms {
  /** Android has none that comes sooner. */
  private static final long SOONEST_MS = 5_000;

  /** Android repeats none more often. */
  private static final long SHORTEST_PERIOD_MS = 60_000;

  private final List<Alarm> pending = new ArrayList<>();

  /** What happens: an intent is sent, or a listener is called on the thread of its handler. */
  private final class Alarm implements Runnable {
    final PendingIntent intent;
    final AlarmManager.OnAlarmListener listener;
    final AlarmManager.AlarmClockInfo clock;
    private final Handler at;
    private final long period;
    private final Handler timer = new Handler(Looper.getMainLooper());

    Alarm(
        PendingIntent intent,
        AlarmManager.OnAlarmListener listener,
        AlarmManager.AlarmClockInfo clock,
        Handler at,
        long period) {
      this.intent = intent;
      this.listener = listener;
      this.clock = clock;
      this.at = at;
      this.period = period;
    }

    void comesIn(long millis) {
      timer.postDelayed(this, Math.max(millis, SOONEST_MS));
    }

    @Override
    public void run() {
      if (period > 0) {
        comesIn(Math.max(period, SHORTEST_PERIOD_MS));
      } else {
        forget(this);
      }
      if (intent == null) {
        (at == null ? timer : at).post(listener::onAlarm);
        return;
      }
      try {
        intent.send();
      } catch (PendingIntent.CanceledException cancelled) {
        forget(this);
      }
    }
  }

  private synchronized void forget(Alarm alarm) {
    alarm.timer.removeCallbacks(alarm);
    pending.remove(alarm);
  }

  /** One that is set again takes the place of the one before. */
  private synchronized void set(Alarm alarm, long in) {
    cancel(alarm.intent, alarm.listener);
    pending.add(alarm);
    alarm.comesIn(in);
  }

  private synchronized void cancel(PendingIntent intent, AlarmManager.OnAlarmListener listener) {
    for (Alarm alarm : List.copyOf(pending)) {
      boolean same = intent == null ? alarm.listener == listener : intent.equals(alarm.intent);
      if (same) {
        forget(alarm);
      }
    }
  }

  private synchronized AlarmManager.AlarmClockInfo next() {
    return pending.stream()
        .map(alarm -> alarm.clock)
        .filter(clock -> clock != null)
        .min(Comparator.comparingLong(AlarmManager.AlarmClockInfo::getTriggerTime))
        .orElse(null);
  }

  /** How long it is until then, by the clock that the app has looked at. */
  private static long until(int type, long time) {
    if (type == AlarmManager.ELAPSED_REALTIME || type == AlarmManager.ELAPSED_REALTIME_WAKEUP) {
      return time - SystemClock.elapsedRealtime();
    }
    return time - (Looping.isCalm() ? Calls.currentTimeMillis() : Calls.hostTimeMillis());
  }

  /** Robolectric's keeps alarms for a test to look at. */
  @Implements(className = "android.app.AlarmManager")
  public static class Manager {
    @Implementation
    protected void setImpl(
        int type,
        long time,
        long window,
        long period,
        int flags,
        PendingIntent intent,
        AlarmManager.OnAlarmListener listener,
        String tag,
        Handler at,
        WorkSource source,
        AlarmManager.AlarmClockInfo clock) {
      Alarms alarms = SystemServer.get().alarms();
      alarms.set(alarms.new Alarm(intent, listener, clock, at, period), until(type, time));
    }

    @Implementation
    protected void cancel(PendingIntent intent) {
      if (intent != null) {
        SystemServer.get().alarms().cancel(intent, null);
      }
    }

    @Implementation
    protected void cancel(AlarmManager.OnAlarmListener listener) {
      if (listener == null) {
        throw new NullPointerException("cancel() called with a null OnAlarmListener");
      }
      SystemServer.get().alarms().cancel(null, listener);
    }

    @Implementation
    protected AlarmManager.AlarmClockInfo getNextAlarmClock(int user) {
      return SystemServer.get().alarms().next();
    }
  }
}
