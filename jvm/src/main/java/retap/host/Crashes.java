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

  synchronized JsonArray take() {
    JsonArray taken = new JsonArray();
    seen.forEach(taken::add);
    seen.clear();
    return taken;
  }

  /** Whether the cause is in Robolectric or in this program: the first frame that is neither Java's nor Android's. */
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
