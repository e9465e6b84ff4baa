package retap.host;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/**
 * The threads of this process as the system sees them. One that was just woken works for the system
 * at once, while Java says that it waits until it has noticed.
 */
final class NativeThreads {
  private static final File ALL = new File("/proc/self/task");

  private static final Path OWN = Path.of("/proc/thread-self/stat");

  /** Threads of Java itself that come and go, by the beginnings of their names. */
  private static final Set<String> OF_JAVA = Set.of("C1 ", "C2 ", "GC ", "Attach ");

  private NativeThreads() {}

  /** The numbers of all there are. */
  static Set<String> all() {
    String[] found = ALL.list();
    return found == null ? Set.of() : Set.of(found);
  }

  /** How many work, or are about to: without those that are named, Java's own, and this one. */
  static int working(Set<String> without) {
    String[] found = ALL.list();
    if (found == null) {
      return 0;
    }
    int working = 0;
    String own = null;
    for (String number : found) {
      if (without.contains(number)) {
        continue;
      }
      String stat = stat(ALL.toPath().resolve(number).resolve("stat"));
      if (!works(stat) || isOfJava(stat)) {
        continue;
      }
      own = own == null ? own() : own;
      working += number.equals(own) ? 0 : 1;
    }
    return working;
  }

  private static String own() {
    return stat(OWN).split(" ", 2)[0];
  }

  /** What the system says of a thread; nothing of one that has ended. */
  private static String stat(Path of) {
    try {
      return Files.readString(of, StandardCharsets.ISO_8859_1);
    } catch (IOException ended) {
      return "";
    }
  }

  private static boolean works(String stat) {
    // The state is behind the name, in which there may be anything.
    int name = stat.lastIndexOf(')');
    return name >= 0 && (stat.charAt(name + 2) == 'R' || stat.charAt(name + 2) == 'D');
  }

  private static boolean isOfJava(String stat) {
    return OF_JAVA.stream().anyMatch(name -> stat.startsWith(name, stat.indexOf('(') + 1));
  }
}
