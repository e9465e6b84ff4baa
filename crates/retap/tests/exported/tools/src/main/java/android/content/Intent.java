package android.content;

/** Android, API 35: the part that exported tests call. */
public class Intent {
  public static final int FLAG_ACTIVITY_NEW_TASK = 0x10000000;

  /** Not Android's: what it launches. */
  public final String launched;

  public Intent(String launched) {
    this.launched = launched;
  }

  public Intent addFlags(int flags) {
    return this;
  }
}
