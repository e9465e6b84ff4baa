package org.retap.phonelike;

import android.app.AlarmManager;
import android.app.PendingIntent;
import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;
import android.content.IntentFilter;
import android.os.AsyncTask;
import android.os.Handler;
import android.os.SystemClock;
import java.io.File;
import java.io.FileWriter;
import java.io.IOException;

/** Ways in which apps end, go on, and come back. */
public final class Endings {
  private static final String ALARMED = "org.retap.phonelike.ALARMED";

  private Endings() {}

  public static void exit() {
    System.exit(0);
  }

  static void exitInTask() {
    new AsyncTask<Void, Void, Void>() {
      @Override
      protected Void doInBackground(Void... nothing) {
        exit();
        return null;
      }
    }.execute();
  }

  /** As libraries that report crashes do. */
  static void handOn() {
    final Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler(
        new Thread.UncaughtExceptionHandler() {
          @Override
          public void uncaughtException(Thread thread, Throwable failure) {
            before.uncaughtException(thread, failure);
          }
        });
  }

  static void withHandler(Thread.UncaughtExceptionHandler handler) {
    Thread thread =
        new Thread() {
          @Override
          public void run() {
            throw new IllegalStateException("with a handler of its own");
          }
        };
    setHandler(thread, handler);
    thread.start();
  }

  private static void setHandler(Thread of, Thread.UncaughtExceptionHandler handler) {
    of.setUncaughtExceptionHandler(handler);
  }

  /** One by each clock, one that is cancelled, and one that repeats. */
  static void setAlarms(final CheckActivity activity) {
    final StringBuilder heard = new StringBuilder("heard");
    activity.registerReceiver(
        new BroadcastReceiver() {
          @Override
          public void onReceive(Context context, Intent intent) {
            heard.append(' ').append(intent.getType().substring(2));
            activity.show(heard.toString());
          }
        },
        filter());
    AlarmManager alarms = (AlarmManager) activity.getSystemService(Context.ALARM_SERVICE);
    long now = System.currentTimeMillis();
    long up = SystemClock.elapsedRealtime();
    alarms.set(AlarmManager.RTC_WAKEUP, now + 30_000, intent(activity, "rtc"));
    alarms.setExact(AlarmManager.ELAPSED_REALTIME, up + 20_000, intent(activity, "up"));
    alarms.set(AlarmManager.RTC, now + 40_000, intent(activity, "never"));
    alarms.cancel(intent(activity, "never"));
    alarms.setRepeating(AlarmManager.RTC, now + 50_000, 90_000, intent(activity, "again"));
    alarms.set(
        AlarmManager.ELAPSED_REALTIME,
        up + 10_000,
        "first",
        new AlarmManager.OnAlarmListener() {
          @Override
          public void onAlarm() {
            heard.append(" listener");
          }
        },
        null);
  }

  private static IntentFilter filter() {
    try {
      return new IntentFilter(ALARMED, "a/*");
    } catch (IntentFilter.MalformedMimeTypeException never) {
      throw new IllegalStateException(never);
    }
  }

  private static PendingIntent intent(Context context, String name) {
    Intent intent = new Intent(ALARMED).setType("a/" + name);
    return PendingIntent.getBroadcast(context, 0, intent, 0);
  }

  /** Works for some milliseconds again and again. */
  static void tick(final CheckActivity activity, final int count) {
    long until = System.nanoTime();
    double sum = 0;
    for (int step = 0; step < 300_000; step++) {
      sum += Math.tan(step + until % 2);
    }
    activity.show(sum > 0 ? "ticks" : "ticks");
    new Handler()
        .postDelayed(
            new Runnable() {
              @Override
              public void run() {
                tick(activity, count + 1);
              }
            },
            1_000);
  }

  /** Posts itself without a delay, for ever. */
  static void repeat(final Handler handler) {
    handler.post(
        new Runnable() {
          @Override
          public void run() {
            repeat(handler);
          }
        });
  }

  /** A thread that does not end for being asked to. */
  static void survive(final File file) {
    new Thread() {
      @Override
      public void run() {
        while (true) {
          try {
            Thread.sleep(1_000);
          } catch (InterruptedException ignored) {
            // It goes on.
          }
          try {
            FileWriter writer = new FileWriter(file);
            writer.write("here");
            writer.close();
          } catch (IOException gone) {
            // The folder is not there.
          }
        }
      }
    }.start();
  }
}
