package retap.tools;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** What the parts of Android beside this do: they write down what they are asked for. */
public final class Phone {
  private static final long HANGS_MS = 8000;
  private static final List<Map<String, Object>> deeds = new ArrayList<>();
  private static String log = "";
  private static boolean clears;
  private static Predicate<String> obeys = command -> true;
  private static boolean cleared;
  private static long now;

  private Phone() {}

  /**
   * A phone that nothing was done to yet, with this in its log; whether it can be cleared until
   * something happens, and which commands it obeys.
   */
  public static void begin(String inTheLog, boolean canBeCleared, Predicate<String> whichCommands) {
    deeds.clear();
    log = inTheLog;
    clears = canBeCleared;
    obeys = whichCommands;
    cleared = false;
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
    cleared = false;
  }

  public static String shell(String command) {
    if (command.startsWith("logcat -d")) {
      return cleared ? "" : log.lines().filter(Phone::isKnown).collect(Collectors.joining("\n"));
    }
    did("shell", "command", command);
    cleared = clears && command.startsWith("logcat -c");
    return said(command);
  }

  /** What Android prints of a command. Of a failure some say something, others nothing. */
  private static String said(String command) {
    if (command.startsWith("pm clear ")) {
      return obeys.test(command) ? "Success\n" : "";
    }
    if (command.startsWith("am broadcast ")) {
      return "Broadcasting: Intent {}\n"
          + (obeys.test(command) ? "Broadcast completed: result=0\n" : "");
    }
    if (command.startsWith("am ") && !command.startsWith("am force-stop ")) {
      return "Starting: Intent {}\n";
    }
    return obeys.test(command) ? "" : "Unknown command: " + command + "\n";
  }

  /**
   * That an app hangs is known only after it has hung for a while; what is old is known at once.
   */
  private static boolean isKnown(String line) {
    return !clears || now >= HANGS_MS || !line.contains("ANR in ");
  }

  public static long now() {
    return now;
  }

  public static void sleep(long ms) {
    now += ms;
  }
}
