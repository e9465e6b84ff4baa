package org.retap.hostile;

import android.app.Activity;
import java.io.BufferedReader;
import java.io.File;
import java.io.FileReader;
import java.io.FileWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Other people's files. */
final class OtherFiles {
  private static final int DEEPEST = 4;

  private OtherFiles() {}

  /** Everything that is not the app's own, and the folder that was named. */
  private static List<File> places(Activity activity, String input) {
    List<File> places = new ArrayList<File>();
    String own = activity.getPackageCodePath();
    for (String path :
        new String[] {
          input, "/", "/usr", "/etc", "/home", "/root", "/dev", "/dev/shm", "/proc/sys/vm", "/run",
          new File(own).getParent(), System.getProperty("java.home"),
        }) {
      places.add(new File(path));
    }
    for (String path : System.getProperty("java.class.path").split(":")) {
      places.add(new File(path).getParentFile());
    }
    // The folder of all JVMs, which is above that of this one.
    File above = activity.getFilesDir().getAbsoluteFile();
    while ((above = above.getParentFile()) != null) {
      if (above.getName().equals("run")) {
        places.add(above);
      }
    }
    return places;
  }

  static String outside(Activity activity, String input) {
    List<String> written = new ArrayList<String>();
    for (File place : places(activity, input)) {
      File file = new File(place, "hostile-was-here");
      try {
        FileWriter writer = new FileWriter(file);
        writer.write("1");
        writer.close();
        written.add(file.getPath());
      } catch (IOException refused) {
        // As it should be.
      }
    }
    return "written " + written;
  }

  static String delete(Activity activity, String input) {
    int[] count = {0};
    for (File place : places(activity, input)) {
      delete(place, DEEPEST, count);
    }
    for (String own : new String[] {"/tmp", activity.getApplicationInfo().dataDir}) {
      delete(new File(own), 100, new int[1]);
    }
    return "deleted " + count[0];
  }

  private static void delete(File file, int depth, int[] count) {
    File[] inside = depth > 0 && !file.getPath().startsWith("/proc") ? file.listFiles() : null;
    if (inside != null) {
      for (File one : inside) {
        if (!one.getPath().equals("/tmp")) {
          delete(one, depth - 1, count);
        }
      }
    }
    if (file.delete()) {
      count[0]++;
    }
  }

  static String read(String input) {
    List<String> seen = new ArrayList<String>();
    for (String path :
        new String[] {
          input, "/etc/passwd", "/etc/shadow", "/etc/hostname", "/proc/kcore",
        }) {
      try {
        BufferedReader reader = new BufferedReader(new FileReader(path));
        String line = reader.readLine();
        reader.close();
        if (line != null) {
          seen.add(path + "=" + line);
        }
      } catch (IOException refused) {
        // As it should be.
      }
    }
    for (String folder : new String[] {"/home", "/root", "/mnt", "/srv", "/var"}) {
      if (new File(folder).list() != null) {
        seen.add(folder);
      }
    }
    return "read " + seen;
  }
}
