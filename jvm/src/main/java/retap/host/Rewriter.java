package retap.host;

import static java.util.Map.entry;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Puts {@link Calls} in the place of what an app must not ask the host for: its clock, its dice,
 * its end.
 */
final class Rewriter extends ClassVisitor {
  private static final String UNCALLED = "retap$finalize";
  private static final String CALLS = "retap/host/Calls";
  private static final String WAITERS = "retap/host/Waits";
  private static final String TURNS = "retap/host/Turns";
  private static final String PHONE_FILES = "retap/host/PhoneFiles";
  private static final String RANDOM = "java/security/SecureRandom";

  /** Classes that the app makes objects and classes of, and those that it gets for them. */
  private static final Map<String, String> IN_PLACE =
      Map.of(
          RANDOM,
          "retap/host/SeededRandom",
          "java/util/Timer",
          "retap/host/DeviceTimer",
          "java/util/concurrent/ScheduledThreadPoolExecutor",
          "retap/host/DeviceScheduler");

  private static final String EXECUTORS = "java/util/concurrent/Executors";
  private static final String FACTORY = "Ljava/util/concurrent/ThreadFactory;";
  private static final String SCHEDULED = "Ljava/util/concurrent/ScheduledExecutorService;";
  private static final String CALENDAR = "java/util/GregorianCalendar";
  private static final String CLOCK = "Ljava/time/Clock;";
  private static final String STRING = "Ljava/lang/String;";
  private static final String FILE = "java/io/File";
  private static final String KEYS = "Ljava/security/KeyStore;";
  private static final String DATE_FORMAT = "java/text/SimpleDateFormat";
  private static final String HANDLER = "Ljava/lang/Thread$UncaughtExceptionHandler;";
  private static final String OBJECT = "java/lang/Object";
  private static final String PATTERN_SET = "applyPattern(Ljava/lang/String;)V";
  private static final String HASH_CODE = "hashCode()I";
  private static final String UNCAUGHT = "uncaughtException";
  private static final String WITH_FAILURE = "(Ljava/lang/Thread;Ljava/lang/Throwable;)V";
  private static final String INVOKE =
      "java/lang/reflect/Method.invoke(Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;";

  /** Static methods, and the ones that answer in their place. */
  private static final Map<String, String> ALWAYS =
      Map.ofEntries(
          entry("java/lang/System.exit(I)V", "exit"),
          entry("android/os/Process.killProcess(I)V", "killProcess"),
          entry(
              "java/lang/Thread.setDefaultUncaughtExceptionHandler(" + HANDLER + ")V",
              "setDefaultHandler"),
          entry(
              "java/lang/Thread.getDefaultUncaughtExceptionHandler()" + HANDLER, "defaultHandler"),
          entry(
              "java/lang/System.setSecurityManager(Ljava/lang/SecurityManager;)V",
              "setSecurityManager"),
          entry("java/lang/System.loadLibrary(Ljava/lang/String;)V", "loadLibrary"),
          entry("java/lang/System.load(Ljava/lang/String;)V", "loadLibrary"),
          entry("java/security/KeyStore.getInstance(" + STRING + ")" + KEYS, "keyStore"),
          entry("java/security/KeyStore.getInstance(" + STRING + STRING + ")" + KEYS, "keyStore"),
          entry(
              "javax/crypto/KeyGenerator.getInstance("
                  + STRING
                  + STRING
                  + ")Ljavax/crypto/KeyGenerator;",
              "keyGenerator"),
          entry(
              "java/security/KeyPairGenerator.getInstance("
                  + STRING
                  + STRING
                  + ")Ljava/security/KeyPairGenerator;",
              "keyPairGenerator"));

  private static final Map<String, String> CALM =
      Map.ofEntries(
          entry("java/lang/Thread.sleep(J)V", "sleep"),
          entry("java/lang/Thread.sleep(JI)V", "sleep"),
          entry("android/os/SystemClock.sleep(J)V", "uninterruptibleSleep"),
          entry("android/os/SystemClock.uptimeMillis()J", "uptimeMillis"),
          entry("android/os/SystemClock.elapsedRealtime()J", "uptimeMillis"),
          entry("android/os/SystemClock.elapsedRealtimeNanos()J", "nanoTime"),
          entry("java/lang/System.currentTimeMillis()J", "currentTimeMillis"),
          entry("java/lang/System.nanoTime()J", "nanoTime"),
          entry("java/lang/System.identityHashCode(Ljava/lang/Object;)I", "identityHashCode"),
          entry("java/lang/Math.random()D", "random"),
          entry("java/lang/StrictMath.random()D", "random"),
          entry("java/util/UUID.randomUUID()Ljava/util/UUID;", "randomUuid"),
          entry("java/util/Collections.shuffle(Ljava/util/List;)V", "shuffle"),
          entry(
              "java/util/concurrent/ThreadLocalRandom.current()"
                  + "Ljava/util/concurrent/ThreadLocalRandom;",
              "threadLocalRandom"),
          entry(RANDOM + ".getInstance(" + STRING + ")L" + RANDOM + ";", "secureRandom"),
          entry(RANDOM + ".getInstance(" + STRING + STRING + ")L" + RANDOM + ";", "secureRandom"),
          entry(
              RANDOM + ".getInstance(" + STRING + "Ljava/security/Provider;)L" + RANDOM + ";",
              "secureRandom"),
          entry(RANDOM + ".getInstanceStrong()L" + RANDOM + ";", "secureRandom"),
          entry(
              "java/io/File.createTempFile(" + STRING + STRING + ")Ljava/io/File;",
              "createTempFile"),
          entry(
              "java/io/File.createTempFile(" + STRING + STRING + "Ljava/io/File;)Ljava/io/File;",
              "createTempFile"),
          entry(EXECUTORS + ".newScheduledThreadPool(I)" + SCHEDULED, "scheduler"),
          entry(EXECUTORS + ".newScheduledThreadPool(I" + FACTORY + ")" + SCHEDULED, "scheduler"),
          entry(EXECUTORS + ".newSingleThreadScheduledExecutor()" + SCHEDULED, "scheduler"),
          entry(
              EXECUTORS + ".newSingleThreadScheduledExecutor(" + FACTORY + ")" + SCHEDULED,
              "scheduler"),
          entry("java/util/Calendar.getInstance()Ljava/util/Calendar;", "calendar"),
          entry(
              "java/util/Calendar.getInstance(Ljava/util/TimeZone;)Ljava/util/Calendar;",
              "calendar"),
          entry(
              "java/util/Calendar.getInstance(Ljava/util/Locale;)Ljava/util/Calendar;", "calendar"),
          entry(
              "java/util/Calendar.getInstance(Ljava/util/TimeZone;Ljava/util/Locale;)"
                  + "Ljava/util/Calendar;",
              "calendar"),
          entry("java/time/Clock.systemUTC()" + CLOCK, "utcClock"),
          entry("java/time/Clock.systemDefaultZone()" + CLOCK, "javaClock"),
          entry("java/time/Clock.system(Ljava/time/ZoneId;)" + CLOCK, "javaClock"),
          entry("java/time/Clock.tickMillis(Ljava/time/ZoneId;)" + CLOCK, "millisClock"),
          entry("java/time/Clock.tickSeconds(Ljava/time/ZoneId;)" + CLOCK, "secondsClock"),
          entry("java/time/Clock.tickMinutes(Ljava/time/ZoneId;)" + CLOCK, "minutesClock"));

  private static final String WITHIN = "(JLjava/util/concurrent/TimeUnit;)";

  /**
   * Methods that wait with a limit and what they may be called on; all are of {@link Waits}, with
   * the first of these as the receiver.
   */
  private static final Map<String, List<String>> WAITS =
      Map.ofEntries(
          entry("join(J)V", List.of("java/lang/Thread")),
          entry(
              "get" + WITHIN + "Ljava/lang/Object;",
              concurrent(
                  "Future",
                  "FutureTask",
                  "RunnableFuture",
                  "ScheduledFuture",
                  "RunnableScheduledFuture",
                  "CompletableFuture")),
          entry("await" + WITHIN + "Z", concurrent("CountDownLatch")),
          entry("tryAcquire" + WITHIN + "Z", concurrent("Semaphore")),
          entry("tryLock" + WITHIN + "Z", concurrent("locks/Lock", "locks/ReentrantLock")),
          entry(
              "poll" + WITHIN + "Ljava/lang/Object;",
              concurrent(
                  "BlockingQueue",
                  "BlockingDeque",
                  "ArrayBlockingQueue",
                  "LinkedBlockingQueue",
                  "LinkedBlockingDeque",
                  "PriorityBlockingQueue",
                  "SynchronousQueue")),
          entry(
              "awaitTermination" + WITHIN + "Z",
              concurrent(
                  "ExecutorService",
                  "ScheduledExecutorService",
                  "ThreadPoolExecutor",
                  "ScheduledThreadPoolExecutor")));

  private static final String CONDITION = "java/util/concurrent/locks/Condition";

  /** Methods of every object. */
  private static final Set<String> WAITS_OF_OBJECTS = Set.of("wait(J)V", "wait(JI)V");

  /** Methods with which other threads enter the app's code. */
  private static final Set<String> ENTERED =
      Set.of(
          "run()V",
          "call()Ljava/lang/Object;",
          "doInBackground([Ljava/lang/Object;)Ljava/lang/Object;",
          "loadInBackground()Ljava/lang/Object;",
          "handleMessage(Landroid/os/Message;)V",
          "handleMessage(Landroid/os/Message;)Z",
          "onHandleIntent(Landroid/content/Intent;)V",
          "onHandleWork(Landroid/content/Intent;)V");

  /** Static methods that leave something in Java, and what is said of it before they do. */
  private static final Map<String, String> LEAVING =
      Map.ofEntries(
          entry("java/net/DatagramSocket.setDatagramSocketImplFactory", "touch"),
          entry("java/net/ServerSocket.setSocketFactory", "touch"),
          entry("java/net/Socket.setSocketImplFactory", "touch"),
          entry("java/net/URL.setURLStreamHandlerFactory", "touch"),
          entry("java/net/URLConnection.setContentHandlerFactory", "touch"),
          entry("java/net/URLConnection.setDefaultUseCaches", "touch"),
          entry("java/security/Security.setProperty", "touch"),
          entry("java/nio/file/FileSystems.newFileSystem", "spoil"),
          entry("java/sql/DriverManager.registerDriver", "spoil"),
          entry("java/sql/DriverManager.setLogStream", "spoil"),
          entry("java/sql/DriverManager.setLogWriter", "spoil"),
          entry("java/sql/DriverManager.setLoginTimeout", "spoil"),
          entry("java/util/prefs/Preferences.systemNodeForPackage", "spoil"),
          entry("java/util/prefs/Preferences.systemRoot", "spoil"),
          entry("java/util/prefs/Preferences.userNodeForPackage", "spoil"),
          entry("java/util/prefs/Preferences.userRoot", "spoil"));

  /** What static methods are called that are looked for in the classes above the one named. */
  private static final Set<String> INHERITED =
      Stream.of(ALWAYS, CALM)
          .flatMap(table -> table.keySet().stream())
          .map(method -> method.substring(method.indexOf('.') + 1))
          .collect(Collectors.toUnmodifiableSet());

  /** Instance methods, and the static ones that take the receiver first. */
  private static final Map<String, String> RECEIVERS =
      Map.of(
          "java/lang/Runtime.exit", "exit",
          "java/lang/Runtime.halt", "exit",
          "java/lang/Runtime.exec", "exec",
          "java/lang/Runtime.load", "loadLibrary",
          "java/lang/Runtime.loadLibrary", "loadLibrary",
          "java/lang/ProcessBuilder.start", "start");

  /** Methods of a file that tell of this computer. */
  private static final Set<String> ROOM_OF_FILES =
      Set.of("getTotalSpace()J", "getFreeSpace()J", "getUsableSpace()J");

  private static final String FILE_TIME = "lastModified()J";

  private static final String TIME_OF_PATHS =
      "java/nio/file/Files.getLastModifiedTime(Ljava/nio/file/Path;[Ljava/nio/file/LinkOption;)"
          + "Ljava/nio/file/attribute/FileTime;";

  /** Dice that begin somewhere else in every process unless they are told where. */
  private static final Set<String> DICE =
      Set.of("java/util/Random.<init>()V", "java/util/SplittableRandom.<init>()V");

  /** Calendars that begin with the time of now. */
  private static final Set<String> CALENDARS =
      Set.of(
          CALENDAR + ".<init>()V",
          CALENDAR + ".<init>(Ljava/util/TimeZone;)V",
          CALENDAR + ".<init>(Ljava/util/Locale;)V",
          CALENDAR + ".<init>(Ljava/util/TimeZone;Ljava/util/Locale;)V");

  /** What the calls that are put in need at most, beside what was there. */
  private static final int MORE_STACK = 2;

  private static List<String> concurrent(String... names) {
    return Arrays.stream(names).map(name -> "java/util/concurrent/" + name).toList();
  }

  private final Hierarchy hierarchy;
  private final boolean wild;
  private String name;
  private boolean hasSource;
  private boolean isPlain;

  private Rewriter(ClassVisitor next, Hierarchy hierarchy, boolean wild) {
    super(Opcodes.ASM9, next);
    this.hierarchy = hierarchy;
    this.wild = wild;
  }

  static byte[] rewrite(byte[] original, Hierarchy hierarchy, boolean wild) {
    ClassReader reader = new ClassReader(original);
    ClassWriter writer = new ClassWriter(reader, 0);
    reader.accept(new Rewriter(writer, hierarchy, wild), 0);
    return writer.toByteArray();
  }

  @Override
  public void visit(
      int version, int access, String name, String signature, String parent, String[] interfaces) {
    this.name = name;
    isPlain = (access & Opcodes.ACC_INTERFACE) == 0 && hasNoHashCode(parent);
    super.visit(version, access, name, signature, inPlaceOf(parent), interfaces);
  }

  private String inPlaceOf(String type) {
    return type == null || wild ? type : IN_PLACE.getOrDefault(type, type);
  }

  private boolean hasNoHashCode(String type) {
    return type != null && hierarchy.declaring(type, HASH_CODE).equals(OBJECT);
  }

  @Override
  public void visitSource(String source, String debug) {
    hasSource = true;
    super.visitSource(source, debug);
  }

  @Override
  public void visitEnd() {
    if (!hasSource) {
      // Without the name of a file Java does not print lines.
      String simple = name.substring(name.lastIndexOf('/') + 1);
      int inner = simple.indexOf('$');
      super.visitSource((inner > 0 ? simple.substring(0, inner) : simple) + ".java", null);
    }
    if (isPlain && !wild) {
      addHashCode();
    }
    super.visitEnd();
  }

  /** Objects are in sets and maps by their hash codes, so what an app shows may depend on them. */
  private void addHashCode() {
    int access = Opcodes.ACC_PUBLIC | Opcodes.ACC_SYNTHETIC;
    MethodVisitor code = super.visitMethod(access, "hashCode", "()I", null, null);
    code.visitCode();
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitMethodInsn(
        Opcodes.INVOKESTATIC, CALLS, "identityHashCode", "(Ljava/lang/Object;)I", false);
    code.visitInsn(Opcodes.IRETURN);
    code.visitMaxs(1, 1);
    code.visitEnd();
  }

  @Override
  public MethodVisitor visitMethod(
      int access, String name, String descriptor, String signature, String[] exceptions) {
    if (name.equals("hashCode") && descriptor.equals("()I")) {
      isPlain = false;
    }
    // When Java collects garbage is a matter of chance: what an app does then is not done.
    boolean finalizes = !wild && name.equals("finalize") && descriptor.equals("()V");
    MethodVisitor next =
        super.visitMethod(access, finalizes ? UNCALLED : name, descriptor, signature, exceptions);
    boolean handles = name.equals(UNCAUGHT) && descriptor.equals(WITH_FAILURE);
    boolean isOfObjects = (access & Opcodes.ACC_STATIC) == 0;
    boolean tells = handles && isOfObjects;
    boolean entered = !wild && isOfObjects && ENTERED.contains(name + descriptor);
    return new MethodVisitor(Opcodes.ASM9, next) {
      @Override
      public void visitCode() {
        super.visitCode();
        if (tells) {
          tell(mv);
        }
        if (entered) {
          mv.visitMethodInsn(Opcodes.INVOKESTATIC, TURNS, "await", "()V", false);
        }
      }

      @Override
      public void visitMethodInsn(
          int opcode, String owner, String name, String descriptor, boolean isInterface) {
        if (!redirected(mv, opcode, owner, name, descriptor)) {
          super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
        }
      }

      @Override
      public void visitInvokeDynamicInsn(
          String name, String descriptor, Handle bootstrap, Object... arguments) {
        Object[] redirected = Arrays.stream(arguments).map(Rewriter.this::handle).toArray();
        super.visitInvokeDynamicInsn(name, descriptor, bootstrap, redirected);
      }

      @Override
      public void visitLdcInsn(Object value) {
        super.visitLdcInsn(handle(value));
      }

      @Override
      public void visitTypeInsn(int opcode, String type) {
        super.visitTypeInsn(opcode, opcode == Opcodes.NEW ? inPlaceOf(type) : type);
      }

      @Override
      public void visitMaxs(int stack, int locals) {
        super.visitMaxs(stack + MORE_STACK, locals);
      }
    };
  }

  /**
   * Handlers and groups of the app say first what they are told. That is the one place that Java
   * comes to with every exception that they could keep to themselves, whoever has made the thread
   * and handed the handler to it.
   */
  private static void tell(MethodVisitor code) {
    code.visitVarInsn(Opcodes.ALOAD, 1);
    code.visitVarInsn(Opcodes.ALOAD, 2);
    code.visitMethodInsn(Opcodes.INVOKESTATIC, CALLS, UNCAUGHT, WITH_FAILURE, false);
  }

  private boolean redirected(
      MethodVisitor code, int opcode, String owner, String name, String descriptor) {
    String called = owner + "." + name + descriptor;
    return switch (opcode) {
      case Opcodes.INVOKESTATIC -> redirectedStatic(code, owner, name, descriptor);
      case Opcodes.INVOKEVIRTUAL ->
          redirectedWebPage(code, owner, name, descriptor)
              || redirectedWait(code, owner, name, descriptor)
              || redirectedDate(code, opcode, owner, name, descriptor)
              || redirectedPattern(code, owner, name, descriptor)
              || redirectedFile(code, owner, name, descriptor)
              || redirectedVirtual(code, owner, called, name, descriptor);
      case Opcodes.INVOKEINTERFACE ->
          redirectedWait(code, owner, name, descriptor)
              || redirectedDate(code, opcode, owner, name, descriptor);
      case Opcodes.INVOKESPECIAL ->
          redirectedWebPage(code, owner, name, descriptor)
              || redirectedPattern(code, owner, name, descriptor)
              || !wild && redirectedSpecial(code, owner, name, descriptor);
      default -> false;
    };
  }

  /** What answers in the place of a static method; null where nothing does. */
  private String instead(String owner, String name, String descriptor) {
    String method = name + descriptor;
    if (!INHERITED.contains(method)) {
      return null;
    }
    String called = hierarchy.declaring(owner, method) + "." + method;
    return ALWAYS.getOrDefault(called, wild ? null : CALM.get(called));
  }

  /** A method that is handed on, such as {@code System::nanoTime}, or any other constant. */
  private Object handle(Object constant) {
    if (!(constant instanceof Handle method) || method.getTag() != Opcodes.H_INVOKESTATIC) {
      return constant;
    }
    String instead = instead(method.getOwner(), method.getName(), method.getDesc());
    return instead == null
        ? constant
        : new Handle(Opcodes.H_INVOKESTATIC, CALLS, instead, method.getDesc(), false);
  }

  private boolean redirectedStatic(
      MethodVisitor code, String owner, String name, String descriptor) {
    String instead = instead(owner, name, descriptor);
    if (instead != null) {
      code.visitMethodInsn(Opcodes.INVOKESTATIC, CALLS, instead, descriptor, false);
      return true;
    }
    if (!wild
        && owner.equals("java/util/concurrent/locks/LockSupport")
        && name.equals("parkNanos")) {
      code.visitMethodInsn(Opcodes.INVOKESTATIC, WAITERS, name, descriptor, false);
      return true;
    }
    if (!wild && (owner + "." + name + descriptor).equals(TIME_OF_PATHS)) {
      code.visitMethodInsn(Opcodes.INVOKESTATIC, PHONE_FILES, name, descriptor, false);
      return true;
    }
    String said = LEAVING.get(owner + "." + name);
    if (said != null) {
      code.visitMethodInsn(Opcodes.INVOKESTATIC, CALLS, said, "()V", false);
    }
    boolean now = owner.startsWith("java/time/") && name.equals("now");
    return now && redirectedNow(code, Opcodes.INVOKESTATIC, owner, name, descriptor);
  }

  /** Calendars of other peoples are asked for the date of today. */
  private boolean redirectedDate(
      MethodVisitor code, int opcode, String owner, String name, String descriptor) {
    boolean now = owner.startsWith("java/time/chrono/") && name.equals("dateNow");
    return now && redirectedNow(code, opcode, owner, name, descriptor);
  }

  private boolean redirectedNow(
      MethodVisitor code, int opcode, String owner, String name, String descriptor) {
    String from = descriptor.substring(0, descriptor.indexOf(')') + 1);
    if (wild || !(from.equals("()") || from.equals("(Ljava/time/ZoneId;)"))) {
      return false;
    }
    // All of them take a clock, too. What has no zone takes any.
    code.visitMethodInsn(Opcodes.INVOKESTATIC, CALLS, "javaClock", from + CLOCK, false);
    String with = "(" + CLOCK + descriptor.substring(from.length() - 1);
    code.visitMethodInsn(opcode, owner, name, with, opcode == Opcodes.INVOKEINTERFACE);
    return true;
  }

  /** Waiting takes the device's time. */
  private boolean redirectedWait(MethodVisitor code, String owner, String name, String descriptor) {
    String called = name + descriptor;
    List<String> owners = WAITS.getOrDefault(called, List.of());
    String receiver = null;
    if (WAITS_OF_OBJECTS.contains(called)) {
      receiver = "java/lang/Object";
    } else if (owners.contains(owner)) {
      receiver = owners.get(0);
    } else if (owner.equals(CONDITION)
        && (called.equals("awaitNanos(J)J") || isTimedAwait(called))) {
      receiver = CONDITION;
    }
    if (wild || receiver == null) {
      return false;
    }
    String with = "(L" + receiver + ";" + descriptor.substring(1);
    code.visitMethodInsn(Opcodes.INVOKESTATIC, WAITERS, name, with, false);
    return true;
  }

  private static boolean isTimedAwait(String called) {
    return called.equals("await" + WITHIN + "Z");
  }

  /** The room on the phone is always its own; its clock is only in calm mode. */
  private boolean redirectedFile(MethodVisitor code, String owner, String name, String descriptor) {
    String method = name + descriptor;
    boolean tells = ROOM_OF_FILES.contains(method) || !wild && method.equals(FILE_TIME);
    if (!tells || !hierarchy.declaring(owner, method).equals(FILE)) {
      return false;
    }
    String with = "(L" + FILE + ";" + descriptor.substring(1);
    code.visitMethodInsn(Opcodes.INVOKESTATIC, PHONE_FILES, name, with, false);
    return true;
  }

  /** Says that the app fills a web page, and lets it. */
  private boolean redirectedWebPage(
      MethodVisitor code, String owner, String name, String descriptor) {
    boolean fills =
        name.startsWith("load")
            && hierarchy.declaring(owner, name + descriptor).equals("android/webkit/WebView");
    if (fills) {
      code.visitMethodInsn(Opcodes.INVOKESTATIC, CALLS, "webPage", "()V", false);
    }
    return false;
  }

  /** Android knows a letter for dates that Java does not. */
  private boolean redirectedPattern(
      MethodVisitor code, String owner, String name, String descriptor) {
    boolean made = name.equals("<init>") && owner.equals(DATE_FORMAT);
    boolean set =
        PATTERN_SET.equals(name + descriptor)
            && hierarchy.declaring(owner, PATTERN_SET).equals(DATE_FORMAT);
    Type[] taken = Type.getArgumentTypes(descriptor);
    if (!made && !set || taken.length == 0 || !taken[0].getDescriptor().equals(STRING)) {
      return false;
    }
    boolean below = taken.length == 2;
    if (below) {
      code.visitInsn(Opcodes.SWAP);
    }
    code.visitMethodInsn(
        Opcodes.INVOKESTATIC, CALLS, "datePattern", "(" + STRING + ")" + STRING, false);
    if (below) {
      code.visitInsn(Opcodes.SWAP);
    }
    return false;
  }

  private boolean redirectedVirtual(
      MethodVisitor code, String owner, String called, String name, String descriptor) {
    if (called.equals(INVOKE)) {
      // The method is brought to the top, looked at, and put back below its arguments.
      code.visitInsn(Opcodes.DUP2_X1);
      code.visitInsn(Opcodes.POP2);
      code.visitMethodInsn(
          Opcodes.INVOKESTATIC,
          CALLS,
          "checked",
          "(Ljava/lang/reflect/Method;)Ljava/lang/reflect/Method;",
          false);
      code.visitInsn(Opcodes.DUP_X2);
      code.visitInsn(Opcodes.POP);
      return false;
    }
    boolean sleeps = !wild && called.equals("java/util/concurrent/TimeUnit.sleep(J)V");
    String instead = sleeps ? "sleep" : RECEIVERS.get(owner + "." + name);
    if (instead == null) {
      return false;
    }
    String with = "(L" + owner + ";" + descriptor.substring(1);
    code.visitMethodInsn(Opcodes.INVOKESTATIC, CALLS, instead, with, false);
    return true;
  }

  private boolean redirectedSpecial(
      MethodVisitor code, String owner, String name, String descriptor) {
    String called = owner + "." + name + descriptor;
    if ((name + descriptor).equals(HASH_CODE) && hasNoHashCode(owner)) {
      code.visitMethodInsn(
          Opcodes.INVOKESTATIC, CALLS, "identityHashCode", "(Ljava/lang/Object;)I", false);
      return true;
    }
    if (name.equals("<init>") && IN_PLACE.containsKey(owner)) {
      code.visitMethodInsn(Opcodes.INVOKESPECIAL, inPlaceOf(owner), name, descriptor, false);
      return true;
    }
    if (CALENDARS.contains(called)) {
      keepBelow(code, Type.getArgumentTypes(descriptor).length);
      code.visitMethodInsn(Opcodes.INVOKESPECIAL, owner, "<init>", descriptor, false);
      code.visitMethodInsn(Opcodes.INVOKESTATIC, CALLS, "setNow", "(Ljava/util/Calendar;)V", false);
      return true;
    }
    boolean seeded = DICE.contains(called);
    if (!seeded && !called.equals("java/util/Date.<init>()V")) {
      return false;
    }
    code.visitMethodInsn(
        Opcodes.INVOKESTATIC, CALLS, seeded ? "seed" : "currentTimeMillis", "()J", false);
    code.visitMethodInsn(Opcodes.INVOKESPECIAL, owner, "<init>", "(J)V", false);
    return true;
  }

  /**
   * Puts another reference to a new object below the one that its constructor takes with its
   * arguments. Afterwards there need not be any on the stack.
   */
  private static void keepBelow(MethodVisitor code, int arguments) {
    int[] instructions =
        switch (arguments) {
          case 0 -> new int[] {Opcodes.DUP};
          case 1 -> new int[] {Opcodes.SWAP, Opcodes.DUP_X1, Opcodes.SWAP};
          case 2 ->
              new int[] {
                Opcodes.DUP2_X1, Opcodes.POP2, Opcodes.DUP_X2, Opcodes.DUP_X2, Opcodes.POP
              };
          default -> throw new IllegalArgumentException(arguments + " arguments");
        };
    for (int instruction : instructions) {
      code.visitInsn(instruction);
    }
  }
}
