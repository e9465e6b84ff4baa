package retap.host;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Crashes that were seen since somebody last asked. */
public final class Crashes {
  private static final int RESERVE = 8 << 20;

  /** Any phone has as many for each app. */
  private static final int FEW_THREADS = 400;

  /** Where the classes of a phone are, those of libraries that apps may ask for included. */
  private static final List<String> PHONE =
      List.of(
          "android.",
          "com.android.",
          "com.google.android.maps.",
          "dalvik.",
          "java.",
          "javax.",
          "libcore.",
          "org.apache.http.",
          "org.json.",
          "org.w3c.",
          "org.xml.",
          "org.xmlpull.");

  private final AppCode code;
  private final List<JsonObject> seen = new ArrayList<>();
  private boolean died;

  /** Given back when the app has taken all memory, so that this can be told. */
  private byte[] reserve = new byte[RESERVE];

  Crashes(AppCode code) {
    this.code = code;
  }

  /** An exception that nobody caught. */
  public synchronized void add(Thread thread, Throwable failure) {
    if (failure instanceof OutOfMemoryError) {
      reserve = null;
    }
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
    if (reserve == null) {
      reserve = new byte[RESERVE];
    }
    return taken;
  }

  /**
   * Whether the cause is in Robolectric or in this program: that is where it was thrown, or where
   * Java was called that threw it.
   */
  private boolean isOfTheDevice(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null && cause.getCause() != cause) {
      cause = cause.getCause();
    }
    if (isNative(cause) || isMissingHere(cause) || isOfConversion(cause)) {
      return true;
    }
    if (isForWantOfThreads(cause, ManagementFactory.getThreadMXBean().getThreadCount())) {
      return true;
    }
    StackTraceElement[] frames = cause.getStackTrace();
    if (cause instanceof VirtualMachineError) {
      // Who has used up memory or stack stands further down.
      return Arrays.stream(frames).noneMatch(frame -> code.has(frame.getClassName()))
          && Arrays.stream(frames).anyMatch(frame -> isOurs(frame.getClassName()));
    }
    for (StackTraceElement frame : frames) {
      if (!isOfJava(frame.getClassName())) {
        return isOurs(frame.getClassName());
      }
    }
    return false;
  }

  /**
   * A method that only a phone's native code has, or a class that could not be made for want of
   * one.
   */
  private static boolean isNative(Throwable cause) {
    return cause instanceof UnsatisfiedLinkError
        || cause instanceof LinkageError
            && String.valueOf(cause.getMessage()).contains("UnsatisfiedLinkError");
  }

  /**
   * A class that a phone has and this device does not. One that is in no phone is the app's to
   * bring.
   */
  private static boolean isMissingHere(Throwable cause) {
    if (!(cause instanceof ClassNotFoundException || cause instanceof NoClassDefFoundError)) {
      return false;
    }
    String name = String.valueOf(cause.getMessage()).replace('/', '.');
    return PHONE.stream().anyMatch(name::startsWith);
  }

  /**
   * Whether this computer has no thread to give, though there are few here. An app that has taken
   * many has only itself to blame.
   */
  static boolean isForWantOfThreads(Throwable cause, int threads) {
    return cause instanceof OutOfMemoryError
        && String.valueOf(cause.getMessage()).contains("native thread")
        && threads < FEW_THREADS;
  }

  /** Code that a phone runs and that was not made into legal code for Java. */
  static boolean isOfConversion(Throwable cause) {
    return cause instanceof Calls.Unconverted
        || cause instanceof VerifyError
        || cause instanceof ClassFormatError
        || cause instanceof InstantiationError
        || cause.getClass() == IncompatibleClassChangeError.class;
  }

  /** Java's own classes, and what answers in the place of one to the app. */
  private boolean isOfJava(String name) {
    return (name.startsWith("java.")
            || name.startsWith("javax.")
            || name.startsWith("jdk.")
            || name.startsWith("sun.")
            || name.startsWith("com.google.common.")
            || name.startsWith(Calls.class.getName())
            || name.equals(AppClasses.class.getName())
            || name.equals(Coverage.class.getName()))
        && !code.has(name);
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
