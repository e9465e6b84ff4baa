package androidx.test.platform.app;

import android.app.Instrumentation;
import android.os.Bundle;

/**
 * Robolectric keeps its instrumentation here. The library that has this class is not on Maven
 * Central.
 */
public final class InstrumentationRegistry {
  private static Instrumentation instrumentation;
  private static Bundle arguments = new Bundle();

  private InstrumentationRegistry() {}

  public static Instrumentation getInstrumentation() {
    return instrumentation;
  }

  public static Bundle getArguments() {
    return arguments;
  }

  public static void registerInstance(Instrumentation instance, Bundle with) {
    instrumentation = instance;
    arguments = with;
  }
}
