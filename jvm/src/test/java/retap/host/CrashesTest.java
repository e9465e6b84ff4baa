package retap.host;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
  void codeThatCouldNotBeConvertedIsNotTheAppsFault() {
    assertTrue(Crashes.isOfConversion(Calls.unconverted("a.B.c")));
    assertTrue(Crashes.isOfConversion(new VerifyError()));
    assertFalse(Crashes.isOfConversion(new IllegalStateException()));
    // It unwinds the app as every crash does: an event that is refused would leave it half done.
    assertFalse((Throwable) Calls.unconverted("a.B.c") instanceof Unsupported);
  }
}
