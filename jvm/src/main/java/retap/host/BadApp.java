package retap.host;

/** The APK cannot be read. */
public final class BadApp extends RuntimeException {
  public BadApp(String why) {
    super(why);
  }
}
