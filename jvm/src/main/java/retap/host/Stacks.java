package retap.host;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Stacks as a phone would print them: without this program, Robolectric, and what of Java lies
 * between them. Where the device happened to be when the app failed is no part of the failure, and
 * two crashes are the same by their stacks.
 */
final class Stacks {
  /**
   * How this Java calls methods by their names. It differs from the first call to the twentieth.
   */
  private static final List<String> REFLECTION =
      List.of("jdk.internal.reflect.", "java.lang.invoke.LambdaForm");

  private Stacks() {}

  /**
   * The frames that phones have, too: those of Android and of the app, and Java's where they call
   * it. A shadow goes with the frames around it: the class that it stands for has called it, and
   * has a frame of its own. A stack without any of these is told as it is.
   */
  static List<StackTraceElement> ofPhones(
      StackTraceElement[] stack, Predicate<String> isOurs, Predicate<String> isOfJava) {
    List<StackTraceElement> kept = new ArrayList<>();
    List<StackTraceElement> run = new ArrayList<>();
    boolean ours = false;
    for (StackTraceElement frame : stack) {
      String name = frame.getClassName();
      if (isOurs.test(name)) {
        ours = true;
      } else if (isOfJava.test(name)) {
        run.add(frame);
      } else {
        keep(kept, run, ours);
        ours = false;
        kept.add(frame);
      }
    }
    keep(kept, run, ours);
    return kept.isEmpty() ? List.of(stack) : kept;
  }

  /** Java's frames between two others, unless the device is among them. */
  private static void keep(
      List<StackTraceElement> kept, List<StackTraceElement> run, boolean ours) {
    for (StackTraceElement frame : run) {
      if (!ours && REFLECTION.stream().noneMatch(frame.getClassName()::startsWith)) {
        kept.add(frame);
      }
    }
    run.clear();
  }
}
