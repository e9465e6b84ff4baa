package org.retap.phonelike;

import android.os.AsyncTask;
import android.os.Handler;
import android.os.HandlerThread;
import android.os.SystemClock;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** Ways in which a main thread waits that should not. Each takes the time that it says. */
enum Waiting {
  joined(100) {
    @Override
    void run() throws Exception {
      Thread thread = sleeper(100);
      thread.start();
      thread.join();
    }
  },
  ofTask(100) {
    @Override
    void run() throws Exception {
      new AsyncTask<Void, Void, String>() {
        @Override
        protected String doInBackground(Void... nothing) {
          SystemClock.sleep(100);
          return "done";
        }
      }.execute().get();
    }
  },
  ofFuture(100) {
    @Override
    void run() throws Exception {
      future(100).get(5, TimeUnit.SECONDS);
    }
  },
  tooShort(50) {
    @Override
    void run() throws Exception {
      try {
        future(5_000).get(50, TimeUnit.MILLISECONDS);
      } catch (TimeoutException asItShouldBe) {
        return;
      }
      throw new IllegalStateException("too early");
    }
  },
  byDate(100) {
    @Override
    void run() {
      long end = System.currentTimeMillis() + 100;
      while (System.currentTimeMillis() < end) {}
    }
  },
  byUptime(100) {
    @Override
    void run() {
      long end = SystemClock.uptimeMillis() + 100;
      while (SystemClock.uptimeMillis() < end) {}
    }
  },
  byNanos(100) {
    @Override
    void run() {
      long end = System.nanoTime() + 100_000_000;
      while (System.nanoTime() < end) {
        Thread.yield();
      }
    }
  },
  byLock(100) {
    @Override
    void run() throws Exception {
      Object lock = new Object();
      long end = System.currentTimeMillis() + 100;
      synchronized (lock) {
        for (long left = 100; left > 0; left = end - System.currentTimeMillis()) {
          lock.wait(left);
        }
      }
    }
  },
  ofLooper(100) {
    @Override
    void run() throws Exception {
      latch(100).await();
    }
  },
  ofLatch(70) {
    @Override
    void run() throws Exception {
      if (new CountDownLatch(1).await(70, TimeUnit.MILLISECONDS)) {
        throw new IllegalStateException("nobody has counted");
      }
    }
  },
  ofCondition(60) {
    @Override
    void run() throws Exception {
      ReentrantLock lock = new ReentrantLock();
      Condition condition = lock.newCondition();
      lock.lock();
      if (condition.await(60, TimeUnit.MILLISECONDS)) {
        throw new IllegalStateException("nobody has signalled");
      }
      lock.unlock();
    }
  },
  ofQueue(40) {
    @Override
    void run() throws Exception {
      if (new LinkedBlockingQueue<String>().poll(40, TimeUnit.MILLISECONDS) != null) {
        throw new IllegalStateException("nobody has put anything");
      }
    }
  },
  parked(30) {
    @Override
    void run() {
      LockSupport.parkNanos(30_000_000);
    }
  },
  ofHolder(100) {
    @Override
    void run() throws Exception {
      final Object lock = new Object();
      final CountDownLatch held = new CountDownLatch(1);
      new Thread() {
        @Override
        public void run() {
          synchronized (lock) {
            held.countDown();
            SystemClock.sleep(100);
          }
        }
      }.start();
      held.await();
      synchronized (lock) {
        held.await();
      }
    }
  },
  /** The last of many short ones, and not of those that come later. */
  ofMany(500) {
    @Override
    void run() throws Exception {
      final CountDownLatch count = new CountDownLatch(50);
      new Thread() {
        @Override
        public void run() {
          for (int step = 0; step < 100; step++) {
            SystemClock.sleep(10);
            count.countDown();
          }
        }
      }.start();
      count.await();
    }
  },
  ofTimer(80) {
    @Override
    void run() throws Exception {
      CountDownLatch latch = new CountDownLatch(1);
      new Timer().schedule(counting(latch, 0), 80);
      latch.await();
    }
  },
  /** The second is one of the app's own classes, and ends the first. */
  ofTimerAgain(120) {
    @Override
    void run() throws Exception {
      CountDownLatch latch = new CountDownLatch(3);
      Timer timer = new Timer(true) {};
      TimerTask task = counting(latch, 0);
      timer.schedule(task, 20, 50);
      latch.await();
      if (!task.cancel() || task.cancel()) {
        throw new IllegalStateException("it was to be done again");
      }
      timer.cancel();
      try {
        timer.schedule(counting(latch, 0), 1);
      } catch (IllegalStateException asItShouldBe) {
        return;
      }
      throw new IllegalStateException("the timer goes on");
    }
  },
  ofScheduler(90) {
    @Override
    void run() throws Exception {
      ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
      ScheduledFuture<String> late = scheduler.schedule(answering("late"), 90, TimeUnit.MILLISECONDS);
      ScheduledFuture<String> soon = scheduler.schedule(answering("soon"), 30, TimeUnit.MILLISECONDS);
      if (!soon.get().equals("soon") || late.isDone() || !late.get().equals("late")) {
        throw new IllegalStateException("another order");
      }
      scheduler.shutdownNow();
    }
  },
  ofRate(130) {
    @Override
    void run() throws Exception {
      CountDownLatch latch = new CountDownLatch(3);
      ScheduledThreadPoolExecutor scheduler = new ScheduledThreadPoolExecutor(2) {};
      scheduler.scheduleAtFixedRate(counting(latch, 0), 10, 60, TimeUnit.MILLISECONDS);
      latch.await();
      scheduler.shutdownNow();
    }
  },
  /** Three times ten, and twice thirty between them, after ten. */
  ofPauses(100) {
    @Override
    void run() throws Exception {
      CountDownLatch latch = new CountDownLatch(3);
      ScheduledExecutorService scheduler = Executors.newScheduledThreadPool(1);
      scheduler.scheduleWithFixedDelay(counting(latch, 10), 10, 30, TimeUnit.MILLISECONDS);
      latch.await();
      scheduler.shutdownNow();
    }
  },
  /** What was scheduled before is done all the same, and nobody waits for what was cancelled. */
  ofScheduledBefore(70) {
    @Override
    void run() throws Exception {
      CountDownLatch latch = new CountDownLatch(1);
      ScheduledExecutorService scheduler = Executors.newScheduledThreadPool(1);
      scheduler.schedule(answering("never"), 50, TimeUnit.MILLISECONDS).cancel(false);
      scheduler.schedule(counting(latch, 0), 70, TimeUnit.MILLISECONDS);
      scheduler.shutdown();
      if (!scheduler.awaitTermination(1, TimeUnit.HOURS) || latch.getCount() > 0) {
        throw new IllegalStateException("it was not done");
      }
    }
  },
  /** Others go on while the main thread sleeps. */
  asleep(200) {
    @Override
    void run() throws Exception {
      Thread thread = sleeper(100);
      thread.start();
      Thread.sleep(200);
      if (thread.isAlive()) {
        throw new IllegalStateException("it still sleeps");
      }
    }
  };

  final long time;

  Waiting(long time) {
    this.time = time;
  }

  abstract void run() throws Exception;

  /** Says which take another time than they should. */
  static String all() throws Exception {
    StringBuilder wrong = new StringBuilder("wrong");
    for (Waiting way : values()) {
      long began = SystemClock.uptimeMillis();
      way.run();
      long took = SystemClock.uptimeMillis() - began;
      if (took != way.time) {
        wrong.append(' ').append(way.name()).append(' ').append(took);
      }
    }
    return wrong.toString();
  }

  /** On its thread's looper, so many milliseconds from now. */
  static CountDownLatch latch(long millis) {
    HandlerThread thread = new HandlerThread("counts");
    thread.start();
    final CountDownLatch latch = new CountDownLatch(1);
    new Handler(thread.getLooper())
        .postDelayed(
            new Runnable() {
              @Override
              public void run() {
                latch.countDown();
              }
            },
            millis);
    return latch;
  }

  /** Two threads that wait for each other. */
  static void deadlock() throws Exception {
    final Object one = new Object();
    final Object other = new Object();
    final CountDownLatch held = new CountDownLatch(2);
    new Thread() {
      @Override
      public void run() {
        synchronized (other) {
          meet(held);
          synchronized (one) {
            held.countDown();
          }
        }
      }
    }.start();
    synchronized (one) {
      meet(held);
      synchronized (other) {
        held.countDown();
      }
    }
  }

  private static void meet(CountDownLatch held) {
    held.countDown();
    try {
      held.await();
    } catch (InterruptedException ended) {
      throw new IllegalStateException(ended);
    }
  }

  private static TimerTask counting(final CountDownLatch latch, final long millis) {
    return new TimerTask() {
      @Override
      public void run() {
        SystemClock.sleep(millis);
        latch.countDown();
      }
    };
  }

  private static Callable<String> answering(final String what) {
    return new Callable<String>() {
      @Override
      public String call() {
        return what;
      }
    };
  }

  private static Thread sleeper(final long millis) {
    return new Thread() {
      @Override
      public void run() {
        SystemClock.sleep(millis);
      }
    };
  }

  private static FutureTask<String> future(final long millis) {
    FutureTask<String> task =
        new FutureTask<String>(
            new Callable<String>() {
              @Override
              public String call() throws Exception {
                Thread.sleep(millis);
                return "done";
              }
            });
    new Thread(task).start();
    return task;
  }
}
