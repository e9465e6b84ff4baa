package retap.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.chrono.IsoChronology;
import java.util.Date;
import java.util.GregorianCalendar;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

class RewriterTest {
  /** A clock that stands still, but for sleep. */
  private static final class StandingClock implements Calls.Clock {
    long nanos = 5_000_000_000L;

    @Override
    public long uptimeNanos() {
      return nanos;
    }

    @Override
    public boolean isMain() {
      return true;
    }

    @Override
    public void pass(long millis) {
      nanos += millis * 1_000_000;
    }
  }

  private static final Hierarchy JAVA = new Hierarchy(RewriterTest::classFile);

  private final StandingClock clock = new StandingClock();

  @BeforeEach
  void begin() {
    Calls.begin(clock, 7, 1);
  }

  @Test
  void anAppThatEndsItselfDoesNotEndTheDevice() throws Exception {
    Callable<Object> exits = rewritten(Exits.class, false);
    assertThrows(Calls.AppExit.class, exits::call);
  }

  @Test
  void whoeverIsCalledByNameIsLookedAt() throws Exception {
    assertThrows(Calls.AppExit.class, rewritten(ExitsByName.class, false)::call);
    assertEquals("7", rewritten(CallsByName.class, false).call());
  }

  @Test
  void otherProgramsAreNotThere() {
    for (Class<?> type : new Class<?>[] {Executes.class, Builds.class}) {
      assertThrows(IOException.class, () -> rewritten(type, true).call());
    }
  }

  /** Compilers leave a reference to a new object on the stack, dex2jar may have it elsewhere. */
  @Test
  void aCalendarThatIsOnNoStackHasTheDevicesTime() throws Exception {
    String calendar = "java/util/GregorianCalendar";
    String[] forms = {"", "Ljava/util/TimeZone;", "Ljava/util/TimeZone;Ljava/util/Locale;"};
    for (String form : forms) {
      ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
      writer.visit(Opcodes.V1_6, Opcodes.ACC_PUBLIC, "Made", null, "java/lang/Object", null);
      MethodVisitor code =
          writer.visitMethod(
              Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, "make", "()L" + calendar + ";", null, null);
      code.visitCode();
      code.visitTypeInsn(Opcodes.NEW, calendar);
      code.visitInsn(Opcodes.DUP);
      code.visitVarInsn(Opcodes.ASTORE, 0);
      for (Type argument : Type.getArgumentTypes("(" + form + ")V")) {
        code.visitMethodInsn(
            Opcodes.INVOKESTATIC,
            argument.getInternalName(),
            "getDefault",
            "()" + argument.getDescriptor(),
            false);
      }
      code.visitMethodInsn(Opcodes.INVOKESPECIAL, calendar, "<init>", "(" + form + ")V", false);
      code.visitVarInsn(Opcodes.ALOAD, 0);
      code.visitInsn(Opcodes.ARETURN);
      code.visitMaxs(0, 0);
      code.visitEnd();
      writer.visitEnd();
      byte[] bytes = Rewriter.rewrite(writer.toByteArray(), JAVA, false);
      Class<?> made =
          new ClassLoader(getClass().getClassLoader()) {
            Class<?> define() {
              return defineClass("Made", bytes, 0, bytes.length);
            }
          }.define();
      GregorianCalendar seen = (GregorianCalendar) made.getMethod("make").invoke(null);
      assertEquals(Calls.currentTimeMillis(), seen.getTimeInMillis(), form);
    }
  }

  @Test
  void hashCodesFollowTheSeed() throws Exception {
    Object first = rewritten(Hashes.class, false).call();
    Calls.begin(clock, 7, 1);
    assertEquals(first, rewritten(Hashes.class, false).call());
    Calls.begin(clock, 8, 1);
    assertNotEquals(first, rewritten(Hashes.class, false).call());
  }

  @Test
  void clocksAreTheDevices() throws Exception {
    long[] first = (long[]) rewritten(Clocks.class, false).call();
    assertEquals(first[0], first[1], "a date and the clock");
    assertEquals(first[0], first[2], "a calendar and the clock");
    assertEquals(5_000_000_000L, first[3]);
    assertEquals(first[0], first[4], "an instant and the clock");
    assertEquals(first[0], first[5], "a time elsewhere and the clock");
    assertEquals(first[0], first[6], "a clock and the clock");
    long[] wild = (long[]) rewritten(Clocks.class, true).call();
    assertTrue(Math.abs(wild[0] - System.currentTimeMillis()) < 60_000);
  }

  /** Compilers name the class that a call is written for, and code hands methods on. */
  @Test
  void clocksThatAreInheritedOrHandedOnAreTheDevices() throws Exception {
    long[] seen = (long[]) rewritten(Inherits.class, false).call();
    for (long time : seen) {
      assertEquals(Calls.currentTimeMillis(), time);
    }
    assertEquals(5_000_000_000L + 3_600_000_000_000L, clock.nanos, "it slept for an hour");
    long own = (long) rewritten(HidesIt.class, false).call();
    assertEquals(7, own, "a method of the app's own of that name is its own");
  }

  @Test
  void diceOfTheAppsOwnFollowTheSeed() throws Exception {
    Object first = rewritten(OwnDice.class, false).call();
    Calls.begin(clock, 7, 1);
    assertEquals(first, rewritten(OwnDice.class, false).call());
    Calls.begin(clock, 8, 1);
    assertNotEquals(first, rewritten(OwnDice.class, false).call());
  }

  @Test
  void chanceFollowsTheSeed() throws Exception {
    Object first = rewritten(Chance.class, false).call();
    Calls.begin(clock, 7, 1);
    assertEquals(first, rewritten(Chance.class, false).call());
    Calls.begin(clock, 8, 1);
    assertNotEquals(first, rewritten(Chance.class, false).call());
  }

  @Test
  void sleepTakesTheDevicesTime() throws Exception {
    rewritten(Sleeps.class, false).call();
    assertEquals(5_000_000_000L + 2 * 3_600_000_000_000L, clock.nanos);
  }

  @Test
  void linesHaveTheNameOfAFile() throws Exception {
    Callable<Object> throwing = rewritten(Exits.class, false);
    Calls.AppExit ended = assertThrows(Calls.AppExit.class, throwing::call);
    assertTrue(ended.getMessage().contains("3"));
  }

  /** Loads a class again, rewritten as an app's. */
  @SuppressWarnings("unchecked")
  @Test
  void whatIsDoneWhenGarbageIsCollectedIsLeftToChanceOnlyInWildMode() throws Exception {
    assertThrows(
        NoSuchMethodException.class,
        () -> rewritten(Finalizes.class, false).getClass().getDeclaredMethod("finalize"));
    assertEquals(
        void.class,
        rewritten(Finalizes.class, true).getClass().getDeclaredMethod("finalize").getReturnType());
  }

  static final class Finalizes implements Callable<Object> {
    @Override
    public Object call() {
      return null;
    }

    @Override
    @SuppressWarnings("removal")
    protected void finalize() throws Throwable {
      super.finalize();
    }
  }

  private static Callable<Object> rewritten(Class<?> type, boolean wild) throws Exception {
    byte[] bytes = Rewriter.rewrite(bytes(type), JAVA, wild);
    ClassLoader loader =
        new ClassLoader(type.getClassLoader()) {
          @Override
          protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            return name.equals(type.getName())
                ? defineClass(name, bytes, 0, bytes.length)
                : super.loadClass(name, resolve);
          }
        };
    var made = loader.loadClass(type.getName()).getDeclaredConstructor();
    made.setAccessible(true);
    return (Callable<Object>) made.newInstance();
  }

  private static byte[] bytes(Class<?> type) throws IOException {
    return classFile(type.getName().replace('.', '/'));
  }

  private static byte[] classFile(String name) throws IOException {
    try (InputStream stream =
        RewriterTest.class.getClassLoader().getResourceAsStream(name + ".class")) {
      return stream == null ? null : stream.readAllBytes();
    }
  }

  static final class Exits implements Callable<Object> {
    @Override
    public Object call() {
      System.exit(3);
      return null;
    }
  }

  static final class ExitsByName implements Callable<Object> {
    @Override
    public Object call() throws Exception {
      return System.class.getMethod("exit", int.class).invoke(null, 3);
    }
  }

  static final class CallsByName implements Callable<Object> {
    @Override
    public Object call() throws Exception {
      return String.class.getMethod("valueOf", int.class).invoke(null, 7);
    }
  }

  static final class Executes implements Callable<Object> {
    @Override
    public Object call() throws Exception {
      return Runtime.getRuntime().exec(new String[] {"true"}, null, null);
    }
  }

  static final class Builds implements Callable<Object> {
    @Override
    public Object call() throws Exception {
      return new ProcessBuilder("true").start();
    }
  }

  /** It has no hash code of its own. */
  static final class Hashes implements Callable<Object> {
    @Override
    public Object call() {
      if (hashCode() != System.identityHashCode(this) || hashCode() != hashCode()) {
        throw new IllegalStateException("one object has two");
      }
      return hashCode() + " " + System.identityHashCode("") + " " + this;
    }
  }

  static final class Clocks implements Callable<Object> {
    @Override
    public Object call() {
      return new long[] {
        System.currentTimeMillis(),
        new Date().getTime(),
        new GregorianCalendar().getTimeInMillis(),
        System.nanoTime(),
        Instant.now().toEpochMilli(),
        ZonedDateTime.now(ZoneId.of("Asia/Tokyo")).toInstant().toEpochMilli(),
        Clock.systemDefaultZone().millis()
      };
    }
  }

  static final class Chance implements Callable<Object> {
    @Override
    public Object call() {
      return Math.random()
          + " "
          + new Random().nextLong()
          + " "
          + UUID.randomUUID()
          + " "
          + new SecureRandom().nextLong()
          + " "
          + ThreadLocalRandom.current().nextLong();
    }
  }

  static final class Inherits extends Thread implements Callable<Object> {
    @Override
    public Object call() throws InterruptedException {
      sleep(3_600_000);
      LongSupplier clock = System::currentTimeMillis;
      return new long[] {
        GregorianCalendar.getInstance().getTimeInMillis(),
        clock.getAsLong(),
        IsoChronology.INSTANCE.dateNow().atStartOfDay(ZoneOffset.UTC).toEpochSecond() * 1000
            + System.currentTimeMillis() % 86_400_000
      };
    }
  }

  public static class HasOne extends Thread {
    public static long slept;

    public static void sleep(long millis) {
      slept = millis;
    }
  }

  static final class HidesIt extends HasOne implements Callable<Object> {
    @Override
    public Object call() {
      sleep(7);
      return slept;
    }
  }

  static final class OwnDice extends SecureRandom implements Callable<Object> {
    @Override
    public Object call() {
      return nextLong() + " " + new SecureRandom().nextLong() + " " + super.hashCode();
    }
  }

  static final class Sleeps implements Callable<Object> {
    @Override
    public Object call() throws InterruptedException {
      Thread.sleep(3_600_000);
      TimeUnit.HOURS.sleep(1);
      return null;
    }
  }
}
