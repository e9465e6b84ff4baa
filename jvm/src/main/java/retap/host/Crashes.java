package retap.host;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;

/** Crashes that were seen since somebody last asked. */
public final class Crashes {
  private final AppCode code;
  private final List<JsonObject> seen = new ArrayList<>();
  private boolean died;

  Crashes(AppCode code) {
    this.code = code;
  }

  /** An exception that nobody caught. */
  public synchronized void add(Thread thread, Throwable failure) {
    JsonObject crash = new JsonObject();
    crash.addProperty("kind", "java");
    crash.addProperty("thread", thread.getName());
    crash.addProperty("text", print(failure));
    crash.addProperty("device", isOfTheDevice(failure));
    seen.add(crash);
  }

  /**
   * An exception that nobody caught on another thread than the main one: the app's process is over.
   */
  void addFromOther(Thread thread, Throwable failure) {
    if (Threads.isCurrent(thread) && !(failure instanceof Calls.AppExit)) {
      add(thread, failure);
    }
    synchronized (this) {
      died = died || Threads.isCurrent(thread);
    }
  }

  /** Whether the app's process has ended on another thread since somebody last asked. */
  public synchronized boolean died() {
    boolean now = died;
    died = false;
    return now;
  }

  /** The main thread does not come back: the app does not respond. */
  synchronized void addAnr(Thread main) {
    StringBuilder text = new StringBuilder("\"main\" prio=5 tid=1 Runnable\n");
    boolean app = false;
    for (StackTraceElement frame : main.getStackTrace()) {
      app = app || code.has(frame.getClassName());
      text.append("\tat ").append(frame).append('\n');
    }
    JsonObject crash = new JsonObject();
    crash.addProperty("kind", "anr");
    crash.addProperty("text", text.toString());
    crash.addProperty("device", !app);
    seen.add(crash);
  }

  synchronized JsonArray take() {
    JsonArray taken = new JsonArray();
    seen.forEach(taken::add);
    seen.clear();
    return taken;
  }

  /**
   * Whether the cause is in Robolectric or in this program: the first frame that is neither Java's
   * nor Android's.
   */
  private boolean isOfTheDevice(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null && cause.getCause() != cause) {
      cause = cause.getCause();
    }
    if (cause instanceof UnsatisfiedLinkError) {
      return true;
    }
    StackTraceElement[] frames = cause.getStackTrace();
    return frames.length > 0 && isOurs(frames[0].getClassName());
  }

  private boolean isOurs(String name) {
    return (name.startsWith("org.robolectric.") || name.startsWith("retap.")) && !code.has(name);
  }

  private static String print(Throwable failure) {
    StringWriter text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text));
    return text.toString();
  }
}
