package androidx.test.core.app;

import android.content.Context;

/** androidx.test:core 1.7.0, by its public API listing. */
public final class ApplicationProvider {
  private ApplicationProvider() {}

  @SuppressWarnings("unchecked")
  public static <T extends Context> T getApplicationContext() {
    return (T) new Context();
  }
}
