package retap.host;

import java.io.File;
import java.io.IOException;
import java.lang.Thread.UncaughtExceptionHandler;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.NoSuchAlgorithmException;
import java.security.NoSuchProviderException;
import java.security.Provider;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Calendar;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;
import java.util.TimeZone;
import java.util.UUID;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import javax.crypto.KeyGenerator;

/** What the app's code calls in place of the host's own. */
public final class Calls {
  /** The clock that every app has at a reset: Monday, 5 January 2026, 10:00 UTC. */
  static final long EPOCH = 1_767_607_200_000L;

  private static volatile Clock clock;
  private static Random dice = new Random(0);
  private static volatile Identities identities = new Identities(0);

  /** Counts resets: a thread's own dice are thrown anew after each. */
  private static volatile int generation;

  private static final ThreadLocal<Integer> SEEDED = new ThreadLocal<>();

  /** Whether the app has asked for its end. What it throws from then on is no crash. */
  private static volatile boolean exiting;

  /** What the app's process is called by Android. */
  private static volatile int process;

  /** Whether the app's process has asked for native code. */
  private static volatile boolean refused;

  /** What the app has set for exceptions that nobody catches. */
  private static volatile UncaughtExceptionHandler handler;

  private Calls() {}

  /** The device's clock. */
  public interface Clock {
    long uptimeNanos();

    /** Whether this is the main thread. */
    boolean isMain();

    /** Lets time pass while the main thread does nothing. */
    void pass(long millis);
  }

  /** The end of the app's process, on its own wish. It unwinds the thread that asked for it. */
  public static final class AppExit extends Error {
    AppExit(int status) {
      super("the app ended itself with status " + status, null, false, false);
    }
  }

  public static synchronized void begin(Clock with, long seed, int pid) {
    clock = with;
    process = pid;
    exiting = false;
    refused = false;
    handler = null;
    dice = new Random(seed);
    identities = new Identities(seed);
    generation++;
  }

  /** Whether this is the main thread, or there is none yet. */
  static boolean isMain() {
    Clock now = clock;
    return now == null || now.isMain();
  }

  public static synchronized long seed() {
    return dice().nextLong();
  }

  public static synchronized double random() {
    return dice().nextDouble();
  }

  public static synchronized UUID randomUuid() {
    // Version 4, variant 2, as those are that nobody has chosen.
    long most = dice().nextLong() & ~0xF000L | 0x4000L;
    return new UUID(most, dice().nextLong() & Long.MAX_VALUE >> 1 | Long.MIN_VALUE);
  }

  /** A thread of a process that is gone must not change what the next one meets. */
  private static Random dice() {
    return Threads.isGone(Thread.currentThread()) ? new Random() : dice;
  }

  public static void shuffle(List<?> list) {
    Collections.shuffle(list, new Random(seed()));
  }

  public static SecureRandom secureRandom() {
    return new SeededRandom();
  }

  public static SecureRandom secureRandom(String algorithm) throws NoSuchAlgorithmException {
    SecureRandom.getInstance(algorithm);
    return new SeededRandom();
  }

  public static SecureRandom secureRandom(String algorithm, String provider)
      throws NoSuchAlgorithmException, NoSuchProviderException {
    SecureRandom.getInstance(algorithm, provider);
    return new SeededRandom();
  }

  public static SecureRandom secureRandom(String algorithm, Provider provider)
      throws NoSuchAlgorithmException {
    SecureRandom.getInstance(algorithm, provider);
    return new SeededRandom();
  }

  /** Java has one object for all threads, and keeps in each thread where its dice are. */
  public static ThreadLocalRandom threadLocalRandom() {
    ThreadLocalRandom found = ThreadLocalRandom.current();
    if (SEEDED.get() == null || SEEDED.get() != generation) {
      SEEDED.set(generation);
      try {
        Field state = Thread.class.getDeclaredField("threadLocalRandomSeed");
        state.setAccessible(true);
        state.setLong(Thread.currentThread(), seed());
      } catch (ReflectiveOperationException | RuntimeException elsewhere) {
        // Another Java may keep them in another place: then they are as they come.
        return found;
      }
    }
    return found;
  }

  public static ScheduledExecutorService scheduler() {
    return new DeviceScheduler(1);
  }

  public static ScheduledExecutorService scheduler(ThreadFactory factory) {
    return new DeviceScheduler(1, factory);
  }

  public static ScheduledExecutorService scheduler(int threads) {
    return new DeviceScheduler(threads);
  }

  public static ScheduledExecutorService scheduler(int threads, ThreadFactory factory) {
    return new DeviceScheduler(threads, factory);
  }

  public static int identityHashCode(Object object) {
    return object == null ? 0 : identities.of(object);
  }

  public static File createTempFile(String prefix, String suffix) throws IOException {
    return createTempFile(prefix, suffix, null);
  }

  public static File createTempFile(String prefix, String suffix, File folder) throws IOException {
    if (prefix.length() < 3) {
      throw new IllegalArgumentException("Prefix string too short");
    }
    String ending = suffix == null ? ".tmp" : suffix;
    File in = folder == null ? new File(System.getProperty("java.io.tmpdir")) : folder;
    while (true) {
      File file = new File(in, prefix + Long.toUnsignedString(seed()) + ending);
      if (file.createNewFile()) {
        return file;
      }
    }
  }

  /** This computer's clock. */
  public static long hostTimeMillis() {
    return System.currentTimeMillis();
  }

  /** What Android's code is told. */
  public static long deviceTimeMillis() {
    Clock now = clock;
    // Android asks for it before there is an app.
    return EPOCH + (now == null ? 0 : now.uptimeNanos() / 1_000_000);
  }

  public static long currentTimeMillis() {
    return EPOCH + nanoTime() / 1_000_000;
  }

  public static long uptimeMillis() {
    return nanoTime() / 1_000_000;
  }

  public static long nanoTime() {
    Clock now = clock;
    boolean main = now.isMain();
    if (!Spin.isOne(now.uptimeNanos(), main ? Patience.message() : 0)) {
      return now.uptimeNanos();
    }
    if (main) {
      now.pass(1);
    } else if (!Threads.isGone(Thread.currentThread())) {
      uninterruptibleSleep(1);
    }
    return now.uptimeNanos();
  }

  /** What the clock shows so many nanoseconds from now. */
  static long after(long nanos) {
    return saturatingAdd(clock.uptimeNanos(), nanos);
  }

  public static Calendar calendar() {
    Calendar now = Calendar.getInstance();
    setNow(now);
    return now;
  }

  public static Calendar calendar(TimeZone zone) {
    Calendar now = Calendar.getInstance(zone);
    setNow(now);
    return now;
  }

  public static Calendar calendar(Locale locale) {
    Calendar now = Calendar.getInstance(locale);
    setNow(now);
    return now;
  }

  public static Calendar calendar(TimeZone zone, Locale locale) {
    Calendar now = Calendar.getInstance(zone, locale);
    setNow(now);
    return now;
  }

  public static java.time.Clock javaClock() {
    return new DeviceClock(ZoneId.systemDefault());
  }

  public static java.time.Clock javaClock(ZoneId zone) {
    return new DeviceClock(zone);
  }

  public static java.time.Clock utcClock() {
    return new DeviceClock(ZoneOffset.UTC);
  }

  public static java.time.Clock millisClock(ZoneId zone) {
    return java.time.Clock.tick(javaClock(zone), Duration.ofMillis(1));
  }

  public static java.time.Clock secondsClock(ZoneId zone) {
    return java.time.Clock.tick(javaClock(zone), Duration.ofSeconds(1));
  }

  public static java.time.Clock minutesClock(ZoneId zone) {
    return java.time.Clock.tick(javaClock(zone), Duration.ofMinutes(1));
  }

  /** The device's clock, as {@code java.time} wants it. */
  private static final class DeviceClock extends java.time.Clock {
    private final ZoneId zone;

    DeviceClock(ZoneId zone) {
      this.zone = Objects.requireNonNull(zone, "zone");
    }

    @Override
    public ZoneId getZone() {
      return zone;
    }

    @Override
    public java.time.Clock withZone(ZoneId other) {
      return new DeviceClock(other);
    }

    @Override
    public Instant instant() {
      return Instant.ofEpochMilli(currentTimeMillis());
    }
  }

  public static void setNow(Calendar calendar) {
    calendar.setTimeInMillis(currentTimeMillis());
  }

  /** Sleeping takes the device's time. The main thread lets it pass; others wait for it. */
  public static void sleep(long millis) throws InterruptedException {
    if (millis < 0) {
      throw new IllegalArgumentException("timeout value is negative");
    }
    Clock now = clock;
    if (now.isMain()) {
      now.pass(millis);
    } else {
      Threads.sleepUntil(after(TimeUnit.MILLISECONDS.toNanos(millis)));
    }
  }

  public static void uninterruptibleSleep(long millis) {
    try {
      sleep(millis);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  public static void sleep(long millis, int nanos) throws InterruptedException {
    sleep(saturatingAdd(millis, nanos > 0 ? 1 : 0));
  }

  public static void sleep(TimeUnit unit, long time) throws InterruptedException {
    if (time > 0) {
      sleep(unit.toMillis(time));
    }
  }

  /** Of two times that are not negative: some apps sleep for ever. */
  private static long saturatingAdd(long time, long more) {
    return more > Long.MAX_VALUE - time ? Long.MAX_VALUE : time + more;
  }

  public static void exit(int status) {
    exiting = exiting || !Threads.isGone(Thread.currentThread());
    throw new AppExit(status);
  }

  public static boolean isExiting() {
    return exiting;
  }

  /** An app can end itself alone. */
  public static void killProcess(int pid) {
    if (pid == process) {
      exit(9);
    }
  }

  public static void setDefaultHandler(UncaughtExceptionHandler of) {
    handler = of;
  }

  /** Where the app has set none there is the system's, which ends the app. */
  public static UncaughtExceptionHandler defaultHandler() {
    UncaughtExceptionHandler of = handler;
    return of == null && Thread.getDefaultUncaughtExceptionHandler() instanceof Crashes crashes
        ? crashes.system()
        : of;
  }

  static UncaughtExceptionHandler ownHandler() {
    boolean isOfTheSystem =
        Thread.getDefaultUncaughtExceptionHandler() instanceof Crashes crashes
            && handler == crashes.system();
    return isOfTheSystem ? null : handler;
  }

  /**
   * A handler of the app is about to be told of an exception. A phone's log tells of it before,
   * where Java asks the handler and not the app itself.
   */
  public static void uncaughtException(Thread thread, Throwable failure) {
    UncaughtExceptionHandler system = Thread.getDefaultUncaughtExceptionHandler();
    if (system instanceof Crashes && isAskedByJava()) {
      ((Crashes) system).hear(thread, failure);
    }
  }

  /** Whether nothing but Java stands below the method of the app that has called this class. */
  private static boolean isAskedByJava() {
    StackTraceElement[] stack = new Throwable().getStackTrace();
    // This, who is called by the app, and the app.
    int below = 3;
    for (int at = below; at < stack.length; at++) {
      String name = stack[at].getClassName();
      if (!name.startsWith("java.") && !name.equals(Crashes.class.getName())) {
        return false;
      }
    }
    return stack.length > below;
  }

  public static void exit(Runtime runtime, int status) {
    exit(status);
  }

  /** A method that the app calls by its name. It must not end this process either. */
  public static Method checked(Method method) {
    Class<?> owner = method.getDeclaringClass();
    boolean ends =
        switch (method.getName()) {
          case "exit", "halt" -> owner == System.class || owner == Runtime.class;
          case "killProcess" -> owner.getName().equals("android.os.Process");
          default -> false;
        };
    if (ends) {
      exit(0);
    }
    return method;
  }

  /** There is no other program than the app on this device. */
  private static Process notFound(String command) throws IOException {
    throw new IOException(
        "Cannot run program \"" + command + "\": error=2, No such file or directory");
  }

  public static Process exec(Runtime runtime, String command) throws IOException {
    return notFound(command);
  }

  public static Process exec(Runtime runtime, String command, String[] environment)
      throws IOException {
    return notFound(command);
  }

  public static Process exec(Runtime runtime, String command, String[] environment, File folder)
      throws IOException {
    return notFound(command);
  }

  public static Process exec(Runtime runtime, String[] command) throws IOException {
    return notFound(command.length == 0 ? "" : command[0]);
  }

  public static Process exec(Runtime runtime, String[] command, String[] environment)
      throws IOException {
    return exec(runtime, command);
  }

  public static Process exec(Runtime runtime, String[] command, String[] environment, File folder)
      throws IOException {
    return exec(runtime, command);
  }

  public static Process start(ProcessBuilder builder) throws IOException {
    return notFound(builder.command().isEmpty() ? "" : builder.command().get(0));
  }

  /** Android has none, and says so. */
  public static void setSecurityManager(SecurityManager manager) {
    if (manager != null) {
      throw new SecurityException();
    }
  }

  /** The app sets something that Java does not show, and that is set back. */
  public static void touch() {
    JvmState.touch();
  }

  /** The app leaves something in Java: the next run needs another process. */
  public static void spoil() {
    JvmState.spoil();
  }

  /** The day of the week on its own is a letter that Java has none for; its names are the same. */
  public static String datePattern(String pattern) {
    if (pattern == null || pattern.indexOf('c') < 0) {
      return pattern;
    }
    StringBuilder known = new StringBuilder(pattern);
    boolean quoted = false;
    for (int at = 0; at < known.length(); at++) {
      quoted ^= known.charAt(at) == '\'';
      if (!quoted && known.charAt(at) == 'c') {
        known.setCharAt(at, 'E');
      }
    }
    return known.toString();
  }

  public static KeyStore keyStore(String type) throws KeyStoreException {
    if (PhoneKeys.isMeant(type)) {
      throw PhoneKeys.noStore();
    }
    return KeyStore.getInstance(type);
  }

  public static KeyStore keyStore(String type, String provider)
      throws KeyStoreException, NoSuchProviderException {
    if (PhoneKeys.isMeant(type) || PhoneKeys.isMeant(provider)) {
      throw PhoneKeys.noStore();
    }
    return KeyStore.getInstance(type, provider);
  }

  public static KeyGenerator keyGenerator(String algorithm, String provider)
      throws NoSuchAlgorithmException, NoSuchProviderException {
    if (PhoneKeys.isMeant(provider)) {
      throw PhoneKeys.noProvider();
    }
    return KeyGenerator.getInstance(algorithm, provider);
  }

  public static KeyPairGenerator keyPairGenerator(String algorithm, String provider)
      throws NoSuchAlgorithmException, NoSuchProviderException {
    if (PhoneKeys.isMeant(provider)) {
      throw PhoneKeys.noProvider();
    }
    return KeyPairGenerator.getInstance(algorithm, provider);
  }

  /** The app fills a web page. There is no browser on this device. */
  public static void webPage() {
    Notes.add("the app shows a web page, which stays empty on this device");
  }

  /** In the place of a method of the app that could not be made into Java's code. */
  public static RuntimeException unconverted(String method) {
    String what = "the code of " + method + ", which could not be converted for this device";
    Notes.add("the app needs " + what);
    return new Unconverted(what);
  }

  /** The app needs code that could not be converted: the device cannot run it. */
  static final class Unconverted extends RuntimeException {
    Unconverted(String what) {
      super(what);
    }
  }

  /** Native code is for another processor than this one. */
  public static void loadLibrary(String name) {
    refused = true;
    Notes.add("the app asked for the native library " + name + ", which this device cannot load");
    throw new UnsatisfiedLinkError("this device cannot load the native library " + name);
  }

  static boolean hasRefusedLibrary() {
    return refused;
  }

  public static void loadLibrary(Runtime runtime, String name) {
    loadLibrary(name);
  }
}
