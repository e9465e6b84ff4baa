package retap.tools;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the parts of Android beside this do: they write down what they are asked for. */
public final class Phone {
  private static final List<Map<String, Object>> deeds = new ArrayList<>();
  private static String log = "";
  private static long now;

  private Phone() {}

  /** A phone that nothing was done to yet, with this in its log. */
  public static void begin(String inTheLog) {
    deeds.clear();
    log = inTheLog;
    now = 0;
  }

  public static List<Map<String, Object>> deeds() {
    return new ArrayList<>(deeds);
  }

  /** Writes one deed down: its name, then pairs of names and values. */
  public static void did(String what, Object... more) {
    Map<String, Object> deed = new LinkedHashMap<>();
    deed.put("do", what);
    for (int at = 0; at < more.length; at += 2) {
      deed.put((String) more[at], more[at + 1]);
    }
    deeds.add(deed);
  }

  public static String shell(String command) {
    if (command.startsWith("logcat -d")) {
      return log;
    }
    did("shell", "command", command);
    return "";
  }

  public static long now() {
    return now;
  }

  public static void sleep(long ms) {
    now += ms;
  }
}
