package android.app;

import android.content.Context;

/** Android, API 35: the part that exported tests call. */
public class Instrumentation {
  private final Context context = new Context();

  public Context getContext() {
    return context;
  }

  public Context getTargetContext() {
    return context;
  }

  public void waitForIdleSync() {}
}
