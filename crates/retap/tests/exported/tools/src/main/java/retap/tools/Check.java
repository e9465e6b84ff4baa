package retap.tools;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Asks each tool what it makes of the files of a folder, and writes the answers to {@code
 * answer.json} there.
 *
 * <ul>
 *   <li>{@code flows/*.yaml}, read by Maestro; {@code names.json} has the names of widgets on the
 *       screen
 *   <li>{@code tests/*.kt}, compiled by Kotlin's compiler and run; {@code logs.json} has, for the
 *       last part of each package, the log after a crash and the one without
 *   <li>{@code wrong/*.kt}, compiled too
 *   <li>{@code paths.json}, expressions of XPath with the attributes of a widget
 * </ul>
 */
public final class Check {
  static final ObjectMapper JSON = new ObjectMapper();

  private Check() {}

  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[0]);
    Map<String, Object> answer = new LinkedHashMap<>();
    JsonNode names = JSON.readTree(folder.resolve("names.json").toFile());
    Map<String, Object> flows = new LinkedHashMap<>();
    for (Path flow : files(folder.resolve("flows"))) {
      flows.put(flow.getFileName().toString(), Flows.read(flow, names));
    }
    answer.put("flows", flows);
    JsonNode logs = JSON.readTree(folder.resolve("logs.json").toFile());
    List<Path> tests = files(folder.resolve("tests"));
    answer.put("tests", Kotlin.check(tests, folder.resolve("classes"), logs));
    answer.put("wrong", Kotlin.compile(files(folder.resolve("wrong")), folder.resolve("none")));
    answer.put("paths", Paths.fits(JSON.readTree(folder.resolve("paths.json").toFile())));
    JSON.writeValue(folder.resolve("answer.json").toFile(), answer);
    // Libraries leave threads behind.
    System.exit(0);
  }

  private static List<Path> files(Path folder) throws Exception {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }
}
