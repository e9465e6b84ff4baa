package retap.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class StacksTest {
  private static List<String> shown(String... classes) {
    StackTraceElement[] stack =
        Arrays.stream(classes)
            .map(name -> new StackTraceElement(name, "run", null, -1))
            .toArray(StackTraceElement[]::new);
    return Stacks.ofPhones(
            stack,
            name -> name.startsWith("retap.") || name.startsWith("org.robolectric."),
            name -> name.startsWith("java.") || name.startsWith("jdk."))
        .stream()
        .map(StackTraceElement::getClassName)
        .toList();
  }

  @Test
  void aStackEndsWhereTheDeviceBegins() {
    List<String> expected = List.of("a.App", "android.os.Handler");
    String[] now = {
      "a.App", "android.os.Handler", "org.robolectric.X", "retap.Y", "java.Pool", "java.Thread"
    };
    String[] later = {"a.App", "android.os.Handler", "org.robolectric.X", "retap.Z", "java.Thread"};
    assertEquals(expected, shown(now));
    assertEquals(expected, shown(later));
  }

  @Test
  void whatTheDeviceDoesForAndroidIsAndroids() {
    assertEquals(
        List.of("android.Cursor", "a.App", "java.Pool", "java.Thread"),
        shown(
            "org.robolectric.ShadowCursor",
            "android.Cursor",
            "java.reflect.Method",
            "retap.Remote",
            "jdk.proxy2.Proxy1",
            "a.App",
            "java.Pool",
            "java.Thread"));
  }

  @Test
  void howJavaCallsMethodsByNameIsNotTold() {
    String method = "java.lang.reflect.Method";
    assertEquals(
        List.of("a.App", method, "android.view.View"),
        shown("a.App", "jdk.internal.reflect.GeneratedAccessor1", method, "android.view.View"));
  }

  @Test
  void aStackOfNothingElseIsTold() {
    assertEquals(List.of("retap.X", "java.Thread"), shown("retap.X", "java.Thread"));
    assertEquals(List.of(), shown());
  }

  @Test
  void whatRobolectricHasReplacedHasItsOwnNameAndOneFrame() {
    String listener = "android.view.View$DeclaredOnClickListener";
    StackTraceElement[] stack = {
      new StackTraceElement(
          "app", "java.base", "17", "java.lang.Integer", "parseInt", "Integer.java", 652),
      new StackTraceElement("a.App", "onClick", "App.java", 7),
      new StackTraceElement(
          listener, "$$robo$$android_view_View_DeclaredOnClickListener$onClick", "View.java", 5989),
      new StackTraceElement("org.robolectric.X", "invoke", "X.java", 1),
      new StackTraceElement(listener, "onClick", "View.java", -1),
      new StackTraceElement(
          "android.view.View", "$$robo$$android_view_View$__constructor__", "View.java", 9),
      new StackTraceElement("android.view.View", "<init>", "View.java", -1),
      // One that calls itself again is there as often as it does.
      new StackTraceElement("a.App", "run", "App.java", 8),
      new StackTraceElement("a.App", "run", "App.java", 9),
      new StackTraceElement("a.App", "run", "App.java", -2),
    };
    List<String> told =
        Stacks.ofPhones(stack, name -> name.startsWith("org."), name -> name.startsWith("java."))
            .stream()
            .map(Stacks::told)
            .toList();
    assertEquals(
        List.of(
            "java.lang.Integer.parseInt(Integer.java:652)",
            "a.App.onClick(App.java:7)",
            listener + ".onClick(View.java:5989)",
            "android.view.View.<init>(View.java:9)",
            "a.App.run(App.java:8)",
            "a.App.run(App.java:9)",
            "a.App.run(Native Method)"),
        told);
  }
}
