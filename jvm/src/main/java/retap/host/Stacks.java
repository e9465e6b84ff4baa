package retap.host;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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

  /** What Robolectric puts in front of the name of a method of Android's that it has replaced. */
  private static final String REPLACED = "$$robo$$";

  private static final Map<String, String> CONSTRUCTORS =
      Map.of("__constructor__", "<init>", "__staticInitializer__", "<clinit>");

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
    for (StackTraceElement raw : stack) {
      StackTraceElement frame = original(raw);
      String name = frame.getClassName();
      if (isOurs.test(name)) {
        ours = true;
      } else if (isOfJava.test(name)) {
        run.add(frame);
      } else {
        boolean bridge = run.isEmpty() && leadsTo(frame, kept);
        keep(kept, run, ours);
        ours = false;
        if (!bridge) {
          kept.add(frame);
        }
      }
    }
    keep(kept, run, ours);
    return kept.isEmpty() ? List.of(stack) : kept;
  }

  /** A frame as the printed stacks of phones have it: without the module of a class. */
  static String told(StackTraceElement frame) {
    return new StackTraceElement(
            frame.getClassName(), frame.getMethodName(), frame.getFileName(), frame.getLineNumber())
        .toString();
  }

  /** A method of Android's under its own name, such as {@code onClick}. */
  private static StackTraceElement original(StackTraceElement frame) {
    String method = frame.getMethodName();
    if (!method.startsWith(REPLACED)) {
      return frame;
    }
    String name = frame.getClassName();
    String prefix = REPLACED + name.replace('.', '_').replace('$', '_') + "$";
    if (!method.startsWith(prefix)) {
      return frame;
    }
    String own = method.substring(prefix.length());
    return new StackTraceElement(
        name, CONSTRUCTORS.getOrDefault(own, own), frame.getFileName(), frame.getLineNumber());
  }

  /**
   * Whether it only leads to the method above it: Robolectric leaves a method of the same name,
   * without lines, in the place of each that it has replaced.
   */
  private static boolean leadsTo(StackTraceElement frame, List<StackTraceElement> above) {
    if (frame.getLineNumber() >= 0 || frame.isNativeMethod() || above.isEmpty()) {
      return false;
    }
    StackTraceElement called = above.get(above.size() - 1);
    return called.getClassName().equals(frame.getClassName())
        && called.getMethodName().equals(frame.getMethodName())
        && called.getLineNumber() >= 0;
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
