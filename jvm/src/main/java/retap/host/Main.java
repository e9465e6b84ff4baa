package retap.host;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.concurrent.Callable;
import org.robolectric.internal.AndroidSandbox;

/** A line of JSON in, a line of JSON out. See docs/jvm.md for what they say. */
public final class Main {
  private AndroidSandbox sandbox;
  private Device device;
  private Coverage coverage;
  private Crashes crashes;

  public static void main(String[] arguments) throws IOException {
    // What the app prints must not be taken for answers.
    OutputStream out = new FileOutputStream(FileDescriptor.out);
    System.setOut(new PrintStream(new FileOutputStream(FileDescriptor.err), true));
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    Main main = new Main();
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      JsonObject request = JsonParser.parseString(line).getAsJsonObject();
      JsonObject answer = main.answer(request);
      out.write((answer + "\n").getBytes(StandardCharsets.UTF_8));
      out.flush();
      if (request.get("do").getAsString().equals("close")) {
        break;
      }
    }
    // The app's threads may still run.
    Runtime.getRuntime().halt(0);
  }

  private JsonObject answer(JsonObject request) {
    JsonObject answer = new JsonObject();
    answer.add("id", request.get("id"));
    try {
      answer.add("ok", act(request));
    } catch (Unsupported unsupported) {
      answer.add("error", error("unsupported", unsupported.getMessage()));
    } catch (Throwable failure) {
      failure.printStackTrace();
      answer.add("error", error("device", String.valueOf(failure)));
    }
    answer.addProperty("clock", device == null ? 0 : clock());
    return answer;
  }

  private static JsonObject error(String kind, String text) {
    JsonObject error = new JsonObject();
    error.addProperty("kind", kind);
    error.addProperty("text", text);
    return error;
  }

  private JsonObject act(JsonObject request) throws Exception {
    return switch (request.get("do").getAsString()) {
      case "open" -> open(request);
      case "reset" -> reset(request);
      case "perform" ->
          inside(
              () -> {
                device.perform(request.getAsJsonObject("event"));
                return new JsonObject();
              });
      case "settle" -> {
        JsonObject settled = new JsonObject();
        long within = request.get("within").getAsLong();
        settled.addProperty("idle", inside(() -> device.settle(within)));
        yield settled;
      }
      case "look" -> look(request);
      case "screenshot" -> {
        JsonObject picture = new JsonObject();
        byte[] png = inside(() -> device.screenshot());
        picture.addProperty("png", Base64.getEncoder().encodeToString(png));
        yield picture;
      }
      case "close" -> new JsonObject();
      default -> throw new IllegalArgumentException("there is no command " + request.get("do"));
    };
  }

  private JsonObject open(JsonObject request) throws Exception {
    Settings settings =
        new Settings(
            Path.of(request.get("apk").getAsString()),
            Path.of(request.get("classes").getAsString()),
            Path.of(request.get("data").getAsString()),
            request.get("api").getAsInt(),
            request.get("screen").getAsString(),
            request.get("wild").getAsBoolean());
    sandbox = Sandboxes.make(settings.api());
    coverage = new Coverage();
    AppCode code =
        new AppCode(
            settings.apk(), settings.classes(), sandbox.getSdk().getJarPath(), coverage, settings.wild());
    crashes = new Crashes(code);
    return inside(
        () -> {
          device =
              (Device)
                  sandbox
                      .bootstrappedClass(retap.device.Phone.class)
                      .getConstructor(
                          AndroidSandbox.class, Settings.class, AppCode.class, Crashes.class)
                      .newInstance(sandbox, settings, code, crashes);
          JsonObject about = device.open();
          about.addProperty("coverage_total", coverage.total());
          return about;
        });
  }

  private JsonObject reset(JsonObject request) throws Exception {
    long seed = request.get("seed").getAsLong();
    crashes.take();
    inside(
        () -> {
          device.reset(seed);
          return null;
        });
    coverage.take();
    JsonObject state = new JsonObject();
    Runtime runtime = Runtime.getRuntime();
    state.addProperty("heap_mb", (runtime.totalMemory() - runtime.freeMemory()) >> 20);
    state.addProperty("threads", Thread.activeCount());
    return state;
  }

  private JsonObject look(JsonObject request) throws Exception {
    boolean tree = request.get("tree").getAsBoolean();
    JsonObject seen = inside(() -> device.look(tree));
    seen.add("crashes", crashes.take());
    JsonArray covered = new JsonArray();
    coverage.take().forEach(covered::add);
    seen.add("coverage", covered);
    return seen;
  }

  private long clock() {
    try {
      return inside(() -> device.clock());
    } catch (Throwable failure) {
      return 0;
    }
  }

  private <T> T inside(Callable<T> work) throws Exception {
    return sandbox.runOnMainThread(work);
  }
}
