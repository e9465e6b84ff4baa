package org.retap.hostile;

import android.app.Activity;
import android.content.Intent;
import android.media.MediaPlayer;
import android.webkit.WebView;
import java.io.FileOutputStream;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Everything that an app can try. What it returns is shown. */
enum Attack {
  exit {
    @Override
    String run(Activity activity, String input) {
      System.exit(3);
      return "still here";
    }
  },
  halt {
    @Override
    String run(Activity activity, String input) {
      Runtime.getRuntime().halt(3);
      return "still here";
    }
  },
  exitByName {
    @Override
    String run(Activity activity, String input) throws Exception {
      System.class.getMethod("exit", int.class).invoke(null, 3);
      return "still here";
    }
  },
  exitAside {
    @Override
    String run(Activity activity, String input) throws Exception {
      Thread thread =
          new Thread() {
            @Override
            public void run() {
              System.exit(3);
            }
          };
      thread.start();
      thread.join();
      return "still here";
    }
  },
  kill {
    @Override
    String run(Activity activity, String input) {
      android.os.Process.killProcess(android.os.Process.myPid());
      return "still here";
    }
  },
  recursion {
    @Override
    String run(Activity activity, String input) throws Exception {
      return run(activity, input + "x") + "y";
    }
  },
  loop {
    @Override
    String run(Activity activity, String input) {
      for (long count = 0; ; count++) {
        if (count < 0) {
          return "around";
        }
      }
    }
  },
  stuck {
    @Override
    String run(Activity activity, String input) {
      Processes.waitWithoutTheApp();
      return "posted";
    }
  },
  loopAside {
    @Override
    String run(Activity activity, String input) {
      new Thread() {
        @Override
        public void run() {
          for (long count = 0; count >= 0; count++) {}
        }
      }.start();
      return "started";
    }
  },
  threads {
    @Override
    String run(Activity activity, String input) throws Exception {
      return Processes.threads();
    }
  },
  exec {
    @Override
    String run(Activity activity, String input) {
      return Processes.exec();
    }
  },
  forkBomb {
    @Override
    String run(Activity activity, String input) throws Exception {
      return Processes.forkBomb();
    }
  },
  memory {
    @Override
    String run(Activity activity, String input) {
      return "got " + new byte[Integer.MAX_VALUE - 8].length;
    }
  },
  hoard {
    @Override
    String run(Activity activity, String input) {
      while (true) {
        HOARD.add(new byte[1 << 20]);
      }
    }
  },
  hoardAside {
    @Override
    String run(Activity activity, String input) {
      new Thread() {
        @Override
        public void run() {
          while (true) {
            HOARD.add(new byte[100]);
          }
        }
      }.start();
      return "started";
    }
  },
  direct {
    @Override
    String run(Activity activity, String input) {
      while (true) {
        BUFFERS.add(ByteBuffer.allocateDirect(64 << 20));
      }
    }
  },
  files {
    @Override
    String run(Activity activity, String input) throws Exception {
      for (int count = 0; ; count++) {
        new FileOutputStream(activity.getFilesDir() + "/" + count).close();
      }
    }
  },
  outside {
    @Override
    String run(Activity activity, String input) {
      return OtherFiles.outside(activity, input);
    }
  },
  delete {
    @Override
    String run(Activity activity, String input) {
      return OtherFiles.delete(activity, input);
    }
  },
  read {
    @Override
    String run(Activity activity, String input) {
      return OtherFiles.read(input);
    }
  },
  network {
    @Override
    String run(Activity activity, String input) {
      return Sockets.network();
    }
  },
  loopback {
    @Override
    String run(Activity activity, String input) {
      return Sockets.loopback(Integer.parseInt(input));
    }
  },
  print {
    @Override
    String run(Activity activity, String input) {
      return Forgery.print();
    }
  },
  steal {
    @Override
    String run(Activity activity, String input) {
      return Forgery.steal();
    }
  },
  close {
    @Override
    String run(Activity activity, String input) throws Exception {
      return Forgery.closeStandard();
    }
  },
  closeAll {
    @Override
    String run(Activity activity, String input) throws Exception {
      return Forgery.closeAll();
    }
  },
  reflect {
    @Override
    String run(Activity activity, String input) throws Exception {
      return Forgery.reflect();
    }
  },
  segfault {
    @Override
    String run(Activity activity, String input) throws Exception {
      Class<?> type = Class.forName("sun.misc.Unsafe");
      Field field = type.getDeclaredField("theUnsafe");
      field.setAccessible(true);
      type.getMethod("putLong", long.class, long.class).invoke(field.get(null), 8L, 8L);
      return "still here";
    }
  },
  library {
    @Override
    String run(Activity activity, String input) {
      System.loadLibrary("nothing");
      return "loaded";
    }
  },
  quietly {
    @Override
    String run(Activity activity, String input) {
      try {
        System.loadLibrary("nothing");
        return "loaded";
      } catch (UnsatisfiedLinkError missing) {
        return "without it";
      }
    }
  },
  limit {
    @Override
    String run(Activity activity, String input) throws Exception {
      new MediaPlayer().setDataSource("song.mp3");
      return "played";
    }
  },
  web {
    @Override
    String run(Activity activity, String input) {
      WebView web = new WebView(activity);
      activity.setContentView(web);
      web.loadUrl("https://example.org");
      return "shown";
    }
  },
  clocks {
    @Override
    String run(Activity activity, String input) {
      activity.startActivity(new Intent(activity, ClocksActivity.class));
      return "shown";
    }
  },
  sleepy {
    @Override
    String run(Activity activity, String input) throws Exception {
      Thread.sleep(-1);
      return "slept";
    }
  };

  private static final List<byte[]> HOARD = new ArrayList<byte[]>();
  private static final List<ByteBuffer> BUFFERS = new ArrayList<ByteBuffer>();

  abstract String run(Activity activity, String input) throws Exception;
}
