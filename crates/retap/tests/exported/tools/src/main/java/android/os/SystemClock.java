package android.os;

import retap.tools.Phone;

/** Android, API 35: the part that exported tests call. */
public final class SystemClock {
  private SystemClock() {}

  public static long uptimeMillis() {
    return Phone.now();
  }

  public static void sleep(long ms) {
    Phone.sleep(ms);
    Phone.did("wait", "ms", ms);
  }
}
