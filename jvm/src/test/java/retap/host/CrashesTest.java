package retap.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileNotFoundException;
import java.util.List;
import org.junit.jupiter.api.Test;

class CrashesTest {
  private static final OutOfMemoryError THREADS =
      new OutOfMemoryError("unable to create native thread: possibly out of memory");

  @Test
  void aComputerWithoutThreadsIsNotTheAppsFault() {
    assertTrue(Crashes.isForWantOfThreads(THREADS, 60));
    assertFalse(Crashes.isForWantOfThreads(THREADS, 1_500));
    assertFalse(Crashes.isForWantOfThreads(new OutOfMemoryError("Java heap space"), 60));
    assertFalse(Crashes.isForWantOfThreads(new IllegalStateException("native thread"), 60));
  }

  @Test
  void causesThatAreARingHaveAnEnd() {
    Exception first = new IllegalStateException("a");
    Exception second = new IllegalStateException("b", first);
    first.initCause(second);
    assertEquals(List.of(first, second), Crashes.chain(first));
  }

  @Test
  void whatAPhoneThrowsTooIsNoFaultOfTheDevice() {
    StackTraceElement nativeCode =
        new StackTraceElement("org.robolectric.nativeruntime.SQLiteNatives", "run", null, -2);
    StackTraceElement shadow =
        new StackTraceElement("org.robolectric.shadows.ShadowX", "open", "ShadowX.java", 1);
    assertFalse(Crashes.isFault(new IllegalStateException("no column"), nativeCode));
    assertFalse(Crashes.isFault(new FileNotFoundException("none"), shadow));
    assertTrue(Crashes.isFault(new NullPointerException(), shadow));
    assertTrue(Crashes.isFault(new RuntimeException(), shadow));
    String locks = "org.robolectric.shadows.ShadowPowerManager$ShadowWakeLock";
    StackTraceElement lock = new StackTraceElement(locks, "release", "ShadowPowerManager.java", 1);
    assertFalse(Crashes.isFault(new RuntimeException("WakeLock under-locked"), lock));
    assertTrue(Crashes.isFault(new NullPointerException(), lock));
    assertTrue(Crashes.isFault(new IllegalStateException("not implemented yet"), shadow));
  }

  @Test
  void codeThatCouldNotBeConvertedIsNotTheAppsFault() {
    assertTrue(Crashes.isOfConversion(Calls.unconverted("a.B.c")));
    assertTrue(Crashes.isOfConversion(new VerifyError()));
    assertFalse(Crashes.isOfConversion(new IllegalStateException()));
    // It unwinds the app as every crash does: an event that is refused would leave it half done.
    assertFalse((Throwable) Calls.unconverted("a.B.c") instanceof Unsupported);
  }
}
