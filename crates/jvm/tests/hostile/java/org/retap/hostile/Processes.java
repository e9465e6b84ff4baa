package org.retap.hostile;

import android.os.Handler;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** More processes and threads than anybody needs. */
final class Processes {
  private Processes() {}

  static String threads() throws Exception {
    while (true) {
      // A small stack, so that it is not memory that ends it.
      Thread thread =
          new Thread(null, null, "one of many", 1 << 16) {
            @Override
            public void run() {
              synchronized (this) {
                while (true) {
                  try {
                    wait();
                  } catch (InterruptedException goesOn) {
                    // As nothing.
                  }
                }
              }
            }
          };
      thread.start();
    }
  }

  /** The main thread waits for ever, and nothing of the app is on its stack. */
  static void waitWithoutTheApp() {
    final Handler main = new Handler();
    ThreadFactory factory =
        new ThreadFactory() {
          @Override
          public Thread newThread(Runnable worker) {
            main.post(worker);
            return new Thread();
          }
        };
    LinkedBlockingQueue<Runnable> work = new LinkedBlockingQueue<Runnable>();
    new ThreadPoolExecutor(1, 1, 1, TimeUnit.DAYS, work, factory).prestartCoreThread();
  }

  /** In every way that there is. */
  static String exec() {
    int started = 0;
    String[] command = {"/bin/sh", "-c", "sleep 1000"};
    for (int way = 0; way < 4; way++) {
      try {
        Runtime runtime = Runtime.getRuntime();
        if (way == 0) {
          runtime.exec("/bin/sh");
        } else if (way == 1) {
          runtime.exec(command);
        } else if (way == 2) {
          runtime.exec(command, null, null);
        } else {
          new ProcessBuilder(Arrays.asList(command)).start();
        }
        started++;
      } catch (IOException refused) {
        // As it should be.
      }
    }
    return "started " + started;
  }

  /** By the name of the method, which is how nobody sees it. */
  static String forkBomb() throws Exception {
    String[] command = {"/bin/sh", "-c", "bomb() { bomb | bomb & }; bomb; sleep 1000"};
    Object started =
        Runtime.class
            .getMethod("exec", String[].class)
            .invoke(Runtime.getRuntime(), new Object[] {command});
    Object ended = Process.class.getMethod("waitFor").invoke(started);
    return "ended with " + ended;
  }
}
