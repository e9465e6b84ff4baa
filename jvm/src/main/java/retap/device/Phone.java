package retap.device;

import android.app.ActivityThread;
import android.app.Application;
import android.content.ComponentName;
import android.content.Intent;
import android.content.pm.ActivityInfo;
import android.content.pm.PackageParser;
import android.content.res.Resources;
import android.os.RemoteException;
import android.os.SystemClock;
import android.util.SparseArray;
import android.view.KeyEvent;
import android.view.accessibility.AccessibilityManager;
import android.view.inputmethod.InputMethodManager;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.annotation.Config;
import org.robolectric.annotation.ConscryptMode;
import org.robolectric.annotation.GraphicsMode;
import org.robolectric.annotation.LooperMode;
import org.robolectric.annotation.SQLiteMode;
import org.robolectric.annotation.experimental.LazyApplication;
import org.robolectric.config.ConfigurationRegistry;
import org.robolectric.internal.AndroidSandbox;
import org.robolectric.manifest.AndroidManifest;
import org.robolectric.pluginapi.config.ConfigurationStrategy;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowAccessibilityManager;
import org.robolectric.shadows.ShadowChoreographer;
import org.robolectric.shadows.ShadowLog;
import org.robolectric.shadows.ShadowProcess;
import org.robolectric.shadows.ShadowView;
import retap.host.AppCode;
import retap.host.BadApp;
import retap.host.Calls;
import retap.host.Crashes;
import retap.host.Device;
import retap.host.JvmState;
import retap.host.PhoneFiles;
import retap.host.Settings;
import retap.host.Threads;
import retap.host.Unsupported;

/** A phone with one app: what the protocol asks for, done on the main thread. */
public final class Phone implements Device {
  /** What changes when the screen is turned. */
  private static final int TURNED =
      ActivityInfo.CONFIG_ORIENTATION | ActivityInfo.CONFIG_SCREEN_SIZE;

  /** Keys that Android names otherwise than traces do. */
  private static final Map<String, String> KEYS =
      Map.of("delete", "DEL", "end_call", "ENDCALL", "headset_hook", "HEADSETHOOK");

  /** Keys that the system keeps to itself. */
  private static final Set<Integer> OF_THE_SYSTEM =
      Set.of(
          KeyEvent.KEYCODE_POWER,
          KeyEvent.KEYCODE_SLEEP,
          KeyEvent.KEYCODE_WAKEUP,
          KeyEvent.KEYCODE_APP_SWITCH,
          KeyEvent.KEYCODE_ENDCALL);

  private static final int FIRST_PID = 4_000;

  /** How often windows are drawn in a row, when drawing them changes them. */
  private static final int MOST_DRAWN = 3;

  private static final BigInteger LONGEST = BigInteger.valueOf(Long.MAX_VALUE);

  /** Each process of the app meets other chances, the same ones in every run. */
  private static final long ANOTHER_SEED = 0x9E3779B97F4A7C15L;

  private final AndroidSandbox sandbox;
  private final Settings settings;
  private final AppCode code;
  private final Crashes crashes;
  private final Screen screen = new Screen();
  private PackageParser.Package parsed;
  private Packages packages;
  private SystemServer server;
  private Input input;
  private Drawing drawing;

  /** Whether the windows were drawn since something was last done. */
  private boolean drawn;

  private long seed;
  private boolean landscape;
  private boolean running;
  private boolean used;

  /** Processes of the app that have ended since the last reset. */
  private long processes;

  private Permissions permissions = new Permissions();

  /** The JVM before the app's code first ran. */
  private JvmState untouched;

  public Phone(AndroidSandbox sandbox, Settings settings, AppCode code, Crashes crashes) {
    this.sandbox = sandbox;
    this.settings = settings;
    this.code = code;
    this.crashes = crashes;
  }

  @Override
  public JsonObject open() throws IOException {
    boot();
    if (packages.launcher() == null) {
      throw new BadApp("it has no activity that a launcher shows, so it cannot be launched");
    }
    JsonObject about = new JsonObject();
    about.addProperty("package", parsed.packageName);
    if (parsed.mVersionName != null) {
      about.addProperty("version_name", parsed.mVersionName);
    }
    about.addProperty("version_code", parsed.getLongVersionCode());
    JsonArray size = new JsonArray();
    size.add(Math.min(screen.width(), screen.height()));
    size.add(Math.max(screen.width(), screen.height()));
    about.add("screen", size);
    about.add("activities", exported(parsed.activities));
    about.add("services", exported(parsed.services));
    about.add("receivers", exported(parsed.receivers));
    about.add("limits", limits());
    return about;
  }

  /** Components that others may start, besides what a launcher starts. */
  private JsonArray exported(List<? extends PackageParser.Component<?>> components) {
    JsonArray names = new JsonArray();
    Intent launcher = packages.launcher();
    for (PackageParser.Component<?> component : components) {
      ComponentName name = component.getComponentName();
      boolean first = launcher != null && name.equals(launcher.getComponent());
      boolean open =
          component instanceof PackageParser.Activity activity
              ? activity.info.exported
              : ((PackageParser.Service) component).info.exported;
      // Android adds one of its own to every app.
      boolean own = !name.getClassName().startsWith("android.app.");
      if (open && own && !first) {
        names.add(name.flattenToString());
      }
    }
    return names;
  }

  /** What the app has and this device cannot do. */
  private JsonArray limits() {
    JsonArray limits = new JsonArray();
    for (String library : code.nativeLibraries()) {
      limits.add("the native library " + library + " cannot be loaded");
    }
    return limits;
  }

  @Override
  public void reset(long with) throws IOException {
    seed = with;
    processes = 0;
    permissions = new Permissions();
    landscape = false;
    // Before its files are: what its threads throw then is nobody's crash.
    Threads.begin();
    PhoneFiles.begin(settings.data());
    empty(settings.data());
    boot();
  }

  /** The app's process is gone. The phone goes on: its clock, what the user allowed, the data. */
  private void lose() throws IOException {
    long uptime = SystemClock.uptimeMillis();
    processes++;
    boot();
    Looping.skip(uptime - SystemClock.uptimeMillis());
  }

  /** A fresh system without a process of the app; its data stay. */
  private void boot() throws IOException {
    AppProcess.forget();
    Threads.begin();
    running = false;
    if (untouched != null) {
      untouched.restore();
    }
    Thread.currentThread().setContextClassLoader(Phone.class.getClassLoader());
    if (used) {
      sandbox.getTestEnvironment().resetState();
      Caches.clear();
    }
    used = true;
    ConfigurationStrategy.Configuration configuration = configuration();
    ConfigurationRegistry.instance = new ConfigurationRegistry(configuration.map());
    packages =
        new Packages(
            Installed.read(settings.installed()), settings.compat(), new Signers(settings.apk()));
    server = new SystemServer(screen, packages, permissions, settings);
    sandbox
        .getTestEnvironment()
        .setUpApplicationState(
            "retap",
            configuration,
            new AndroidManifest(null, null, null, null, "", settings.apk()));
    ShadowView.setUseRealViewAnimations(true);
    ShadowChoreographer.setPaused(true);
    ShadowChoreographer.setFrameDelay(Duration.ofMillis(16));
    ShadowLog.setCaptureLogsEnabled(false);
    Looping.begin(!settings.wild());
    Threads.setWild(settings.wild());
    int pid = FIRST_PID + (int) processes;
    ShadowProcess.setPid(pid);
    Calls.begin(new DeviceClock(Thread.currentThread()), seed + processes * ANOTHER_SEED, pid);
    crashes.begin();
    Application first = RuntimeEnvironment.getApplication();
    screen.set(first.getResources().getDisplayMetrics());
    parsed = AppProcess.parse(settings.apk());
    packages.attach(first, parsed);
    packages.addFeatures();
    server.permissions().attach(parsed);
    Hidden.<SparseArray<?>>get(InputMethodManager.class, "sInstanceMap").clear();
    server.attach(first.getSystemService(InputMethodManager.class));
    // As while uiautomator looks: lists tell which of their rows can be clicked.
    AccessibilityManager manager = AccessibilityManager.getInstance(first);
    Shadow.<ShadowAccessibilityManager>extract(manager).setEnabled(true);
    input = new Input(server.windows(), server.keyboard());
    drawing = new Drawing(server.windows());
  }

  private ConfigurationStrategy.Configuration configuration() {
    return new FixedConfiguration()
        .with(ConscryptMode.Mode.class, ConscryptMode.Mode.OFF)
        .with(LooperMode.Mode.class, LooperMode.Mode.PAUSED)
        .with(LazyApplication.LazyLoad.class, LazyApplication.LazyLoad.OFF)
        .with(GraphicsMode.Mode.class, GraphicsMode.Mode.NATIVE)
        .with(SQLiteMode.Mode.class, SQLiteMode.Mode.NATIVE)
        .with(
            Config.class,
            new Config.Builder()
                .setApplication(Application.class)
                .setQualifiers(settings.screen())
                .build());
  }

  private static void empty(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> found = Files.walk(folder)) {
      List<Path> all = new ArrayList<>(found.sorted(Comparator.reverseOrder()).toList());
      all.remove(folder);
      for (Path path : all) {
        Files.deleteIfExists(path);
      }
    }
  }

  @Override
  public void perform(JsonObject event) throws IOException {
    drawn = false;
    guarded(() -> dispatch(event));
  }

  private void dispatch(JsonObject event) throws IOException {
    switch (event.get("do").getAsString()) {
      case "launch" -> launch();
      case "tap" -> input.tap(x(event, "at"), y(event, "at"));
      case "double_tap" -> input.doubleTap(x(event, "at"), y(event, "at"));
      case "long_tap" -> input.hold(x(event, "at"), y(event, "at"), millis(event, "hold"));
      case "swipe" ->
          input.swipe(
              x(event, "at"),
              y(event, "at"),
              x(event, "to"),
              y(event, "to"),
              millis(event, "over"));
      case "key" -> key(event.get("key").getAsString());
      case "text" -> text(event);
      case "rotate" -> rotate(event.get("to").getAsString().equals("landscape"));
      case "system" -> system(event);
      case "pinch" ->
          input.pinch(
              x(event, "at"),
              y(event, "at"),
              event.get("percent").getAsInt(),
              millis(event, "over"));
      case "wait" -> Looping.pass(millis(event, "time"));
      default -> throw new Unsupported("the event " + event.get("do").getAsString());
    }
  }

  private void launch() throws IOException {
    Intent launcher = packages.launcher();
    if (launcher == null) {
      throw new Unsupported("launching an app that no launcher shows");
    }
    if (!running) {
      running = true;
      if (untouched == null) {
        untouched = new JvmState();
      }
      // The app may start its services as soon as it begins.
      ActivityThread thread = (ActivityThread) RuntimeEnvironment.getActivityThread();
      server.tasks().attach(thread, this::orient);
      server.services().attach(thread);
      AppProcess.start(code.load(Phone.class.getClassLoader()), parsed, settings.data());
      packages.attach(RuntimeEnvironment.getApplication(), parsed);
    }
    server.tasks().launch(launcher);
    Looping.idle();
  }

  private void text(JsonObject event) {
    if (event.has("at")) {
      input.tap(x(event, "at"), y(event, "at"));
      Looping.settle(500);
    }
    new Typing(server.windows()).replace(event.get("text").getAsString());
  }

  private void system(JsonObject event) throws IOException {
    if (running && event.get("action").getAsString().equals("am:force-stop")) {
      lose();
    } else if (running) {
      try {
        new SystemEvents(server, packages).happen(event);
      } catch (RemoteException never) {
        throw new IllegalStateException(never);
      }
    }
  }

  private void rotate(boolean toLandscape) {
    landscape = toLandscape;
    orient();
    Looping.idle();
  }

  /** Turns the screen as the user holds it, or as the activity in front wants it. */
  private void orient() {
    ActivityRecord front = server.tasks().front();
    Boolean wanted = front == null ? null : front.wantsLandscape();
    boolean now = wanted == null ? landscape : wanted;
    if (now == screen.isLandscape()) {
      return;
    }
    RuntimeEnvironment.setQualifiers(now ? "+land" : "+port");
    screen.set(Resources.getSystem().getDisplayMetrics());
    if (running) {
      server.tasks().reconfigure(TURNED);
      server.windows().resize(packages.configuration());
    }
  }

  private void key(String name) {
    int code = keyCode(name);
    if (code == KeyEvent.KEYCODE_HOME) {
      server.tasks().goHome();
      Looping.idle();
    } else if (code == KeyEvent.KEYCODE_BACK && server.keyboard().isShown()) {
      server.keyboard().hide();
      Looping.idle();
    } else if (!OF_THE_SYSTEM.contains(code)) {
      input.key(code);
    }
  }

  private static int keyCode(String name) {
    if (name.startsWith("code:")) {
      return Integer.parseInt(name.substring("code:".length()));
    }
    String known = KEYS.getOrDefault(name, name.toUpperCase(Locale.ROOT));
    int code = KeyEvent.keyCodeFromString("KEYCODE_" + known);
    if (code == KeyEvent.KEYCODE_UNKNOWN) {
      throw new Unsupported("the key " + name);
    }
    return code;
  }

  @Override
  public boolean settle(long micros) throws IOException {
    boolean[] idle = {true};
    guarded(
        () -> {
          idle[0] = Looping.settle(micros / 1000);
          // Where something moves without end, it has had its time.
          draw(idle[0] ? micros / 1000 : 0);
          PhoneFiles.date();
        });
    return idle[0];
  }

  /**
   * Draws what has changed, and does what that has led to. A view that changes itself while it is
   * drawn does not keep the device from resting: it is drawn again when the device rests next.
   */
  private void draw(long millis) {
    drawn = true;
    for (int times = 0; times < MOST_DRAWN && drawing.draw(); times++) {
      Looping.settle(millis);
    }
  }

  @Override
  public JsonObject look(boolean tree) throws IOException {
    if (!drawn) {
      guarded(() -> draw(0));
    }
    JsonArray[] nodes = {new JsonArray()};
    if (tree) {
      // Views tell of themselves by the app's own code.
      guarded(() -> nodes[0] = Tree.of(Input.view(server.windows().focused()), screen));
    }
    JsonObject seen = new JsonObject();
    ActivityRecord front = server.tasks().front();
    seen.addProperty("activity", front == null ? "" : front.component());
    seen.addProperty("orientation", screen.isLandscape() ? "landscape" : "portrait");
    seen.addProperty("keyboard", server.keyboard().isShown());
    if (tree) {
      seen.add("tree", nodes[0]);
    }
    return seen;
  }

  @Override
  public byte[] screenshot() throws IOException {
    byte[][] picture = {null};
    guarded(() -> picture[0] = draw());
    // The app has crashed while it drew: the home screen is in front.
    return picture[0] == null ? draw() : picture[0];
  }

  private byte[] draw() {
    return Screenshot.of(server.windows(), server.keyboard(), screen);
  }

  @Override
  public long clock() {
    return SystemClock.elapsedRealtimeNanos() / 1000;
  }

  @Override
  public long nextMessage() {
    return Looping.nextOfOthers();
  }

  @Override
  public void advanceTo(long nanos) {
    Looping.advanceTo((nanos + 999_999) / 1_000_000);
  }

  private record DeviceClock(Thread main) implements Calls.Clock {
    @Override
    public long uptimeNanos() {
      return SystemClock.elapsedRealtimeNanos();
    }

    @Override
    public boolean isMain() {
      return Thread.currentThread() == main;
    }

    @Override
    public void pass(long millis) {
      Looping.sleep(millis);
    }
  }

  /**
   * Does something in which the app may crash. Then its process is gone, and the home screen is in
   * front.
   */
  private void guarded(Action action) throws IOException {
    try {
      action.run();
      if (crashes.died()) {
        lose();
      }
    } catch (Unsupported unsupported) {
      throw unsupported;
    } catch (Throwable failure) {
      crashes.addFromMain(failure);
      lose();
    }
  }

  private interface Action {
    void run() throws IOException;
  }

  private static int x(JsonObject event, String name) {
    return event.getAsJsonArray(name).get(0).getAsInt();
  }

  private static int y(JsonObject event, String name) {
    return event.getAsJsonArray(name).get(1).getAsInt();
  }

  private static long millis(JsonObject event, String name) {
    return event.get(name).getAsBigInteger().min(LONGEST).longValueExact() / 1000;
  }
}
