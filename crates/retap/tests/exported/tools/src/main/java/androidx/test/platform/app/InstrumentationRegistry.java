package androidx.test.platform.app;

import android.app.Instrumentation;

/** androidx.test:monitor 1.8.0, by its public API listing: the part that exported tests call. */
public final class InstrumentationRegistry {
  private InstrumentationRegistry() {}

  public static Instrumentation getInstrumentation() {
    return new Instrumentation();
  }
}
