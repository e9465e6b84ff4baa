package retap.host;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.lang.Thread.UncaughtExceptionHandler;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.ConcurrentModificationException;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.Set;

/** Crashes that were seen since somebody last asked. */
public final class Crashes implements UncaughtExceptionHandler {
  private static final int RESERVE = 8 << 20;

  /** With what the system ends the process of an app that has crashed. */
  private static final int EXIT_OF_CRASHED = 10;

  private static final int LONGEST_CHAIN = 50;
  private static final int MOST_MESSAGE = 20_000;

  /** Where Robolectric's build of Android's native code is called. */
  private static final String NATIVE_CODE = "org.robolectric.nativeruntime.";

  /** What code throws that has a fault, or that does not know what to do. */
  private static final List<Class<? extends Throwable>> FAULTS =
      List.of(
          NullPointerException.class,
          ClassCastException.class,
          IndexOutOfBoundsException.class,
          ArrayStoreException.class,
          NegativeArraySizeException.class,
          ArithmeticException.class,
          NoSuchElementException.class,
          ConcurrentModificationException.class,
          UnsupportedOperationException.class,
          ReflectiveOperationException.class,
          AssertionError.class,
          LinkageError.class);

  /** What code says that does not do what Android's does. */
  private static final List<String> UNABLE =
      List.of("robolectric", "not implemented", "not supported", "unsupported");

  /**
   * Shadows that state by a plain exception what a phone states by the same one. There is no other
   * mark of them: most plain ones tell of what Robolectric could not do.
   */
  private static final Set<String> AS_PHONES =
      Set.of(
          "ShadowPowerManager$ShadowWakeLock.release",
          "ShadowWifiManager$ShadowWifiLock.release",
          "ShadowWifiManager$ShadowMulticastLock.release",
          "ShadowMotionEvent.nativeReadFromParcel",
          "ShadowMotionEvent.nativeWriteToParcel");

  private static final String SHADOWS = "org.robolectric.shadows.";

  /** How Java tells why a class could not be made, when it is needed again. */
  private static final String UNLINKED = "Exception java.lang.UnsatisfiedLinkError";

  /** Any phone has as many for each app. */
  private static final int FEW_THREADS = 400;

  /**
   * Libraries that phones have for apps that ask for them, and this device does not. All of Android
   * itself is here.
   */
  private static final List<String> PHONE =
      List.of("android.test.", "com.google.android.maps.", "junit.", "org.apache.http.");

  private final AppCode code;

  /** The system's own handler, as the app gets it: it ends the process. */
  private final UncaughtExceptionHandler system = this::end;

  private final List<JsonObject> seen = new ArrayList<>();
  private boolean died;

  /** The last one that was added: handlers hand it on to each other. */
  private Throwable last;

  /** Given back when the app has taken all memory, so that this can be told. */
  private byte[] reserve = new byte[RESERVE];

  /** Whether one that was not asked for yet tells that. */
  private boolean drained;

  Crashes(AppCode code) {
    this.code = code;
    // There is no memory to load it when it is needed.
    Memory.isFull();
  }

  /**
   * An exception that nobody caught, unless it is known or the app has asked for its end. Says
   * whether it was new.
   */
  private synchronized boolean add(Throwable failure) {
    if (failure == last || Calls.isExiting()) {
      return false;
    }
    last = failure;
    boolean full = Memory.isFull();
    if (failure instanceof OutOfMemoryError) {
      reserve = null;
    }
    List<Throwable> chain = chain(failure);
    Throwable cause = chain.get(chain.size() - 1);
    boolean drains = full && Memory.isHeap(cause);
    if (drains) {
      if (drained) {
        // Whoever asks for memory next fails, too.
        return false;
      }
      cause = Memory.blamed(cause, code);
      chain = cause == chain.get(chain.size() - 1) ? chain : List.of(cause);
    }
    JsonObject crash = new JsonObject();
    crash.addProperty("kind", "java");
    boolean device = !drains && (isOfLinking(chain) || isOfTheDevice(cause));
    crash.add("chain", told(chain, device));
    crash.addProperty("device", device);
    crash.addProperty("drained", drains);
    crash.addProperty("passing", isForWantOfThreads(cause, threads()));
    seen.add(crash);
    drained |= drains;
    return true;
  }

  /** An exception that nobody caught on the main thread, whose process is over then. */
  public void addFromMain(Throwable failure) {
    UncaughtExceptionHandler handler = Calls.ownHandler();
    if (add(failure) && handler != null) {
      ask(handler, Thread.currentThread(), failure);
    }
  }

  /**
   * An exception that nobody caught on another thread. The process is over, unless the app sees to
   * it itself.
   */
  @Override
  public void uncaughtException(Thread thread, Throwable failure) {
    addFromOther(thread, failure, Calls.ownHandler());
  }

  void addFromOther(Thread thread, Throwable failure, UncaughtExceptionHandler handler) {
    synchronized (this) {
      if (!Threads.isCurrent(thread)) {
        return;
      }
      if (!add(failure) || handler == null) {
        died = true;
        return;
      }
    }
    ask(handler, thread, failure);
  }

  /** An exception that only a handler of the app is told of. The process goes on. */
  synchronized void hear(Thread thread, Throwable failure) {
    if (Threads.isCurrent(thread)) {
      add(failure);
    }
  }

  /** What the app gets for the handler that every process has from the beginning. */
  UncaughtExceptionHandler system() {
    return system;
  }

  /**
   * The system's handler was asked. An app that hands on to it what it was told of, or something of
   * its own in the place of that, has told nothing new: phones log an exception once, before they
   * ask the app.
   */
  private void end(Thread thread, Throwable failure) {
    boolean byTheApp =
        Arrays.stream(new Throwable().getStackTrace())
            .anyMatch(frame -> code.has(frame.getClassName()));
    if (!byTheApp) {
      addFromOther(thread, failure, null);
      return;
    }
    synchronized (this) {
      if (!Threads.isCurrent(Thread.currentThread())) {
        return;
      }
      if (last == null) {
        add(failure);
      }
      died = true;
    }
    Calls.exit(EXIT_OF_CRASHED);
  }

  private static void ask(UncaughtExceptionHandler handler, Thread thread, Throwable failure) {
    try {
      handler.uncaughtException(thread, failure);
    } catch (Throwable ignored) {
      // Java does so, too; and the app may have asked for its end.
    }
  }

  /** Whether the app's process has ended on another thread since somebody last asked. */
  public synchronized boolean died() {
    boolean now = died || Calls.isExiting();
    died = false;
    return now;
  }

  /** A process of the app begins: what others were about to say concerns nobody. */
  public synchronized void begin() {
    died = false;
    last = null;
    if (reserve == null) {
      reserve = new byte[RESERVE];
    }
  }

  /**
   * Something has failed for want of memory that was none of the app. Says whether the app has
   * taken all of it; then that is its crash.
   */
  synchronized boolean addDrained(OutOfMemoryError failure) {
    if (drained) {
      reserve = null;
      return true;
    }
    return Memory.isFull() && Memory.isHeap(failure) && add(failure);
  }

  /** The main thread does not come back: the app does not respond. */
  synchronized void addAnr(Thread main) {
    StackTraceElement[] stack = main.getStackTrace();
    boolean app = Arrays.stream(stack).anyMatch(frame -> code.has(frame.getClassName()));
    JsonObject crash = new JsonObject();
    crash.addProperty("kind", "anr");
    crash.add("frames", array(frames(stack, !app)));
    crash.addProperty("device", !app);
    seen.add(crash);
  }

  synchronized JsonArray take() {
    JsonArray taken = new JsonArray();
    seen.forEach(taken::add);
    seen.clear();
    drained = false;
    return taken;
  }

  private static int threads() {
    return ManagementFactory.getThreadMXBean().getThreadCount();
  }

  /**
   * Whether the cause is in Robolectric or in this program: that is where it was thrown, or where
   * Java was called that threw it.
   */
  private boolean isOfTheDevice(Throwable cause) {
    if (isNative(cause) || isMissingHere(cause) || isOfConversion(cause)) {
      return true;
    }
    if (isForWantOfThreads(cause, threads())) {
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
        return isOurs(frame.getClassName()) && isFault(cause, frame);
      }
    }
    return false;
  }

  /**
   * Whether what is thrown by the code that stands for Android's is a fault of it. It is not where
   * a phone throws the same: Android's own native code, which Robolectric brings, or an exception
   * that was thrown on purpose, such as that for a file that is not there.
   */
  static boolean isFault(Throwable cause, StackTraceElement thrower) {
    if (thrower.isNativeMethod() && thrower.getClassName().startsWith(NATIVE_CODE)) {
      return false;
    }
    String message = String.valueOf(message(cause)).toLowerCase(Locale.ROOT);
    boolean says = UNABLE.stream().anyMatch(message::contains);
    boolean fault = FAULTS.stream().anyMatch(kind -> kind.isInstance(cause));
    return says || fault || isVague(cause) && !isAsOnPhones(thrower);
  }

  private static boolean isAsOnPhones(StackTraceElement thrower) {
    String place = thrower.getClassName() + "." + thrower.getMethodName();
    return place.startsWith(SHADOWS) && AS_PHONES.contains(place.substring(SHADOWS.length()));
  }

  /** Exceptions that say nothing by their class: code that answers as a phone does has better. */
  private static boolean isVague(Throwable cause) {
    Class<?> thrown = cause.getClass();
    return thrown == RuntimeException.class || thrown == Exception.class || thrown == Error.class;
  }

  /**
   * A method that only a phone's native code has, or a class that could not be made for want of
   * one. What the app says of it in its own words counts where a library was refused to it.
   */
  private boolean isNative(Throwable cause) {
    boolean again =
        cause.getClass() == ExceptionInInitializerError.class
            && String.valueOf(message(cause)).startsWith(UNLINKED);
    if (!again && !(cause instanceof UnsatisfiedLinkError)) {
      return false;
    }
    StackTraceElement[] frames = cause.getStackTrace();
    boolean byTheApp =
        frames.length > 0 && !frames[0].isNativeMethod() && code.has(frames[0].getClassName());
    return !byTheApp || Calls.hasRefusedLibrary();
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

  /**
   * Whether a call could not be linked. Java links so what Robolectric puts in the place of calls;
   * apps for phones have none of these.
   */
  static boolean isOfLinking(List<Throwable> chain) {
    return chain.stream().anyMatch(BootstrapMethodError.class::isInstance);
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

  /** An exception and its causes. The app can make them a ring. */
  static List<Throwable> chain(Throwable failure) {
    List<Throwable> chain = new ArrayList<>();
    Set<Throwable> known = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Throwable next = failure; next != null && known.add(next); next = cause(next)) {
      chain.add(next);
      if (chain.size() == LONGEST_CHAIN) {
        break;
      }
    }
    return chain;
  }

  private static Throwable cause(Throwable failure) {
    try {
      return failure.getCause();
    } catch (Throwable ofTheApp) {
      return null;
    }
  }

  /** As Java prints it: frames that a cause has in common with what it caused stand there once. */
  private JsonArray told(List<Throwable> chain, boolean device) {
    JsonArray told = new JsonArray();
    List<String> enclosing = List.of();
    for (Throwable thrown : chain) {
      // Robolectric has a hand in the outermost stack only: they are alike as phones print them.
      List<String> stack = frames(thrown.getStackTrace(), device);
      int own = stack.size();
      for (int common = enclosing.size(); own > 0 && common > 0; own--, common--) {
        if (!stack.get(own - 1).equals(enclosing.get(common - 1))) {
          break;
        }
      }
      JsonObject one = new JsonObject();
      one.addProperty("class", thrown.getClass().getName());
      one.addProperty("message", message(thrown));
      one.add("frames", array(stack.subList(0, own)));
      told.add(one);
      enclosing = stack;
    }
    return told;
  }

  /** A stack as a phone would print it; all of it where the device itself has failed. */
  private List<String> frames(StackTraceElement[] stack, boolean device) {
    List<StackTraceElement> shown =
        device ? List.of(stack) : Stacks.ofPhones(stack, this::isOurs, this::isOfJava);
    return shown.stream().map(Stacks::told).toList();
  }

  private static JsonArray array(List<String> strings) {
    JsonArray array = new JsonArray();
    strings.forEach(array::add);
    return array;
  }

  /** Its message. The app may have a say in that, and may fail at it. */
  private static String message(Throwable thrown) {
    try {
      String message = thrown.getLocalizedMessage();
      return message == null ? "" : message.substring(0, Math.min(message.length(), MOST_MESSAGE));
    } catch (Throwable ofTheApp) {
      return "";
    }
  }
}
