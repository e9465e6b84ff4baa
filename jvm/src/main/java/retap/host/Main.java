package retap.host;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.robolectric.internal.AndroidSandbox;

/** A line of JSON in, a line of JSON out. See docs/jvm.md for what they say. */
public final class Main {
  /** The height of the keyboard of most phones. */
  private static final int KEYBOARD_DP = 230;

  /** How often a busy main thread is looked at. */
  private static final long POLL_MILLIS = 250;

  /** How often it is looked at whether the main thread waits. */
  private static final long STEP_MILLIS = 2;

  /** The open files of this process, on Linux. */
  private static final Path STREAMS = Path.of("/proc/self/fd");

  /** The exit code of a process that cannot answer. */
  private static final int UNABLE = 70;

  private AndroidSandbox sandbox;
  private Device device;
  private Coverage coverage;
  private AppCode code;
  private Crashes crashes;
  private final ExecutorService watchdog = Executors.newSingleThreadExecutor();
  private volatile Thread main;
  private boolean spent;
  private boolean wild;

  public static void main(String[] arguments) throws IOException, InterruptedException {
    settleHowProgramsStart();
    InputStream in = requests();
    OutputStream out = answers();
    BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    Thread reader = new Thread(() -> read(in, lines), "requests");
    reader.setDaemon(true);
    reader.start();
    // It is in no field: the app's code can look into every object that it gets hold of.
    Seal seal = new Seal(JsonParser.parseString(lines.take()).getAsJsonObject());
    Main main = new Main();
    try {
      while (true) {
        JsonObject request = seal.request(lines.take());
        if (request == null) {
          // The app has written it.
          continue;
        }
        out.write(main.line(request, seal));
        out.flush();
        if (request.get("do").getAsString().equals("close")) {
          // The app's threads may still run.
          Runtime.getRuntime().halt(0);
        }
      }
    } catch (IOException | RuntimeException | Error broken) {
      // Nobody can be answered any more: the app has closed the output, or taken all memory.
      System.err.println(broken);
      Runtime.getRuntime().halt(UNABLE);
    }
  }

  /**
   * Java starts programs with the help of another one, which is not there in the sandbox. An app
   * could ask for another way before the first use; this is the first use.
   */
  private static void settleHowProgramsStart() {
    System.setProperty("jdk.lang.Process.launchMechanism", "POSIX_SPAWN");
    try {
      new ProcessBuilder("true").start().waitFor();
    } catch (IOException | InterruptedException asItShouldBe) {
      // There is nothing to start.
    }
  }

  /**
   * Where requests come from: a stream of our own. The standard one is empty for the app, which may
   * close it, too.
   */
  private static InputStream requests() throws IOException {
    InputStream in = new FileInputStream(FileDescriptor.in);
    if (Files.exists(STREAMS)) {
      InputStream own = new FileInputStream(STREAMS.resolve("0").toFile());
      in.close();
      in = own;
    }
    System.setIn(InputStream.nullInputStream());
    return in;
  }

  /** Where answers go. What the app prints must not be taken for one. */
  private static OutputStream answers() throws IOException {
    OutputStream out = new FileOutputStream(FileDescriptor.out);
    if (Files.exists(STREAMS)) {
      OutputStream own = new FileOutputStream(STREAMS.resolve("1").toFile());
      out.close();
      out = own;
    }
    System.setOut(new PrintStream(new FileOutputStream(FileDescriptor.err), true));
    return out;
  }

  /** Reads requests. When nobody can ask any more this process ends, whatever the app is doing. */
  private static void read(InputStream from, BlockingQueue<String> lines) {
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(from, StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        lines.add(line);
      }
    } catch (IOException broken) {
      broken.printStackTrace();
    }
    Runtime.getRuntime().halt(0);
  }

  /** The answer as it is written, also where the app has left no memory for anything else. */
  private byte[] line(JsonObject request, Seal seal) {
    try {
      return seal.line(answer(request)).getBytes(StandardCharsets.UTF_8);
    } catch (OutOfMemoryError full) {
      if (spent || crashes == null || !crashes.addDrained(full)) {
        throw full;
      }
      // Nothing can be done with the app any more but tell this.
      spent = true;
      return seal.line(answer(request)).getBytes(StandardCharsets.UTF_8);
    }
  }

  private JsonObject answer(JsonObject request) {
    JsonObject answer = new JsonObject();
    answer.add("id", request.get("id"));
    try {
      answer.add("ok", act(request));
    } catch (Unsupported unsupported) {
      answer.add("error", error("unsupported", unsupported.getMessage()));
    } catch (BadApp bad) {
      answer.add("error", error("app", bad.getMessage()));
    } catch (Throwable failure) {
      OutOfMemoryError memory = Memory.error(failure);
      if (memory != null && Memory.isFull() && !spent) {
        throw memory;
      }
      failure.printStackTrace();
      answer.add("error", error("device", String.valueOf(failure)));
    }
    answer.addProperty("clock", device == null ? 0 : device.clock());
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
      case "open" -> {
        try {
          yield open(request);
        } catch (Exception | OutOfMemoryError failure) {
          throw BadApp.of(failure);
        }
      }
      case "reset" -> reset(request);
      case "perform" ->
          watched(
              () -> {
                device.perform(request.getAsJsonObject("event"));
                return new JsonObject();
              },
              new JsonObject());
      case "settle" -> {
        JsonObject settled = new JsonObject();
        long within = request.get("within").getAsLong();
        settled.addProperty("idle", watched(() -> device.settle(within), false));
        yield settled;
      }
      case "look" -> look(request);
      case "screenshot" -> {
        JsonObject picture = new JsonObject();
        byte[] png = watched(() -> device.screenshot(), null);
        if (png == null) {
          throw new IllegalStateException("the app hangs while it draws");
        }
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
            request.has("compat") ? request.get("compat").getAsInt() : 0,
            request.has("keyboard") ? request.get("keyboard").getAsInt() : KEYBOARD_DP,
            request.has("installed") ? request.get("installed").toString() : "[]",
            request.has("stay") && request.get("stay").getAsBoolean(),
            request.get("wild").getAsBoolean());
    wild = settings.wild();
    sandbox = Sandboxes.make(settings.api());
    coverage = new Coverage();
    coverage.begin();
    code =
        new AppCode(
            settings.apk(),
            settings.classes(),
            sandbox.getSdk().getJarPath(),
            coverage,
            settings.wild());
    crashes = new Crashes(code);
    Thread.setDefaultUncaughtExceptionHandler(crashes);
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
    if (spent) {
      throw new IllegalStateException("the app hangs in the main thread of this process");
    }
    coverage.begin();
    code.leave();
    inside(
        () -> {
          device.reset(seed);
          return null;
        });
    // What the run before said last, while it was ended.
    crashes.take();
    coverage.take();
    JsonObject state = new JsonObject();
    Runtime runtime = Runtime.getRuntime();
    state.addProperty("heap_mb", (runtime.totalMemory() - runtime.freeMemory()) >> 20);
    state.addProperty("worn", Threads.anyLeftBehind() || JvmState.isSpoilt());
    return state;
  }

  private JsonObject look(JsonObject request) throws Exception {
    boolean tree = request.get("tree").getAsBoolean();
    JsonObject seen = watched(() -> device.look(tree), gone());
    seen.addProperty("spent", spent);
    seen.add("notes", Notes.take());
    seen.add("crashes", crashes.take());
    List<Integer> passed = coverage.take();
    JsonArray covered = new JsonArray();
    passed.forEach(covered::add);
    seen.add("coverage", covered);
    JsonObject names = new JsonObject();
    coverage.newNames(passed, code).forEach((id, name) -> names.addProperty("" + id, name));
    seen.add("code", names);
    return seen;
  }

  /** What is seen of an app that does not respond: nothing. */
  private static JsonObject gone() {
    JsonObject seen = new JsonObject();
    seen.addProperty("activity", "");
    seen.add("tree", new JsonArray());
    return seen;
  }

  /** Does something on the device's main thread, however long it takes. */
  private <T> T inside(Callable<T> work) throws Exception {
    return sandbox.runOnMainThread(work);
  }

  /** Does something in which the app may hang. Then this process is spent, and says so. */
  private <T> T watched(Callable<T> work, T otherwise) throws Exception {
    if (spent) {
      return otherwise;
    }
    Future<T> done =
        watchdog.submit(
            () ->
                sandbox.runOnMainThread(
                    () -> {
                      main = Thread.currentThread();
                      code.enter();
                      return work.call();
                    }));
    Patience patience = new Patience();
    Standstill standstill = new Standstill(device, wild);
    long looked = System.nanoTime();
    while (true) {
      try {
        return done.get(STEP_MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException busy) {
        if (main == null) {
          continue;
        }
        standstill.look(main, patience.worked() > Standstill.SPINNING_NANOS);
        if (System.nanoTime() - looked < TimeUnit.MILLISECONDS.toNanos(POLL_MILLIS)) {
          continue;
        }
        looked = System.nanoTime();
        if (patience.isOver(main)) {
          crashes.addAnr(main);
          spent = true;
          return otherwise;
        }
      } catch (ExecutionException failure) {
        throw failure.getCause() instanceof Exception cause ? cause : failure;
      }
    }
  }
}
