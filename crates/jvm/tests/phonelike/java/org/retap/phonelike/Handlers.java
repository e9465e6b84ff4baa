package org.retap.phonelike;

import android.os.Handler;
import android.os.SystemClock;
import java.util.concurrent.ForkJoinPool;

/** Threads whose exceptions the app keeps to itself, and threads that name what they inherit. */
final class Handlers {
  private Handlers() {}

  /** Fails. */
  private static class Failing extends Thread {
    Failing(ThreadGroup group) {
      super(group, "failing");
    }

    @Override
    public void run() {
      throw new IllegalStateException("on a thread of a class of its own");
    }
  }

  private static final class OwnGroup extends ThreadGroup {
    OwnGroup() {
      super("own");
    }

    @Override
    public void uncaughtException(Thread thread, Throwable failure) {}
  }

  private static final class OwnAnswer extends Failing {
    OwnAnswer() {
      super(null);
    }

    @Override
    public UncaughtExceptionHandler getUncaughtExceptionHandler() {
      return new Swallower();
    }
  }

  /** Keeps crashes to itself. */
  static final class Swallower implements Thread.UncaughtExceptionHandler {
    @Override
    public void uncaughtException(Thread thread, Throwable failure) {}
  }

  /** Hands on to the handler that was there before. */
  static void setRewording() {
    final Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler(
        new Thread.UncaughtExceptionHandler() {
          @Override
          public void uncaughtException(Thread thread, Throwable failure) {
            before.uncaughtException(thread, new RuntimeException("in other words", failure));
          }
        });
  }

  static void fail() {
    new Failing(null).start();
  }

  /** The compiler names the class of the variable, which inherits the method. */
  static void ofClass() {
    Failing thread = new Failing(null);
    thread.setUncaughtExceptionHandler(new Swallower());
    thread.start();
  }

  static void ofGroup() {
    new Failing(new OwnGroup()).start();
  }

  static void ofAnswer() {
    new OwnAnswer().start();
  }

  /** Java itself hands the handler to the threads. */
  static void ofPool() {
    new ForkJoinPool(1, ForkJoinPool.defaultForkJoinWorkerThreadFactory, new Swallower(), true)
        .execute(new Failing(null));
  }

  static void ofCommonPool() {
    ForkJoinPool.commonPool().execute(new Failing(null));
  }

  /** No crash: nobody but the app itself tells its handler. */
  static void toldByTheApp() {
    new Thread() {
      @Override
      public void run() {
        new Swallower().uncaughtException(this, new IllegalStateException("told"));
      }
    }.start();
  }

  /** Sleeps by a name that it inherits, and shows how long. */
  static void sleepByInheritance(final CheckActivity activity) {
    final Handler main = new Handler();
    new Thread() {
      @Override
      public void run() {
        final long before = SystemClock.uptimeMillis();
        try {
          sleep(3_000);
        } catch (InterruptedException ended) {
          return;
        }
        final long slept = (SystemClock.uptimeMillis() - before) / 1000;
        main.post(
            new Runnable() {
              @Override
              public void run() {
                activity.show("slept " + slept);
              }
            });
      }
    }.start();
  }
}
