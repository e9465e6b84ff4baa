package retap.tools;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jetbrains.kotlin.cli.common.messages.MessageRenderer;
import org.jetbrains.kotlin.cli.jvm.K2JVMCompiler;
import org.junit.runner.JUnitCore;
import org.junit.runner.Result;
import org.junit.runner.notification.Failure;

/** What Kotlin's compiler makes of tests, and what they do. */
final class Kotlin {
  private Kotlin() {}

  /** What the compiler says, one message a line. */
  static List<String> compile(List<Path> files, Path to) throws Exception {
    List<String> args = new ArrayList<>(List.of("-no-stdlib", "-no-reflect", "-jvm-target", "17"));
    args.addAll(List.of("-classpath", System.getProperty("java.class.path"), "-d", to.toString()));
    files.forEach(file -> args.add(file.toString()));
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    try (PrintStream stream = new PrintStream(said, true, StandardCharsets.UTF_8)) {
      new K2JVMCompiler()
          .exec(stream, MessageRenderer.PLAIN_FULL_PATHS, args.toArray(String[]::new));
    }
    return said.toString(StandardCharsets.UTF_8).lines().toList();
  }

  /**
   * What the compiler says and, when it is content, what each test does without and with a crash in
   * the log, with a log that cannot be read, with one that cannot be cleared of a crash, on a phone
   * that keeps the data of apps, and on one that does nothing else that it is told.
   */
  static Map<String, Object> check(List<Path> files, Path to, JsonNode logs) throws Exception {
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("said", compile(files, to));
    Map<String, Object> runs = new LinkedHashMap<>();
    URL[] classes = {to.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(classes, Kotlin.class.getClassLoader())) {
      for (String name : tests(to)) {
        Class<?> test = loader.loadClass(name);
        Map<String, Object> run = new LinkedHashMap<>();
        JsonNode log = logs.get(test.getPackageName().replaceFirst(".*\\.", ""));
        String crash = log.get("crashed").asText();
        String quiet = log.get("quiet").asText();
        run.put("quiet", run(test, quiet, true, command -> true));
        run.put("crashed", run(test, crash, true, command -> true));
        run.put("unreadable", run(test, "", true, command -> true));
        run.put("stuck", run(test, crash, false, command -> true));
        run.put("kept", run(test, quiet, true, command -> !command.startsWith("pm ")));
        run.put("refused", run(test, quiet, true, command -> command.startsWith("pm ")));
        runs.put(name, run);
      }
    }
    answer.put("runs", runs);
    return answer;
  }

  private static List<String> tests(Path classes) throws Exception {
    if (!Files.isDirectory(classes)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(classes)) {
      return files
          .map(file -> classes.relativize(file).toString())
          .filter(name -> name.endsWith("Test.class"))
          .map(name -> name.substring(0, name.length() - ".class".length()).replace('/', '.'))
          .sorted()
          .toList();
    }
  }

  private static Map<String, Object> run(
      Class<?> test, String log, boolean clears, Predicate<String> obeys) {
    Phone.begin(log, clears, obeys);
    Result result = new JUnitCore().run(test);
    List<String> failures = result.getFailures().stream().map(Failure::toString).toList();
    return Map.of("ran", result.getRunCount(), "failures", failures, "deeds", Phone.deeds());
  }
}
