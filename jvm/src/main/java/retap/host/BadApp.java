package retap.host;

/** The APK cannot be read. */
public final class BadApp extends RuntimeException {
  public BadApp(String why) {
    super(why);
  }

  /** What is wrong with the app, if it is at fault that it cannot be opened; else the failure. */
  static Exception of(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof BadApp bad) {
        return bad;
      }
      if (cause instanceof OutOfMemoryError) {
        return new BadApp("it takes more memory than there is to open it");
      }
      if (cause.getClass().getSimpleName().equals("PackageParserException")) {
        return new BadApp("its manifest cannot be read: " + cause.getMessage());
      }
    }
    return failure instanceof Exception exception ? exception : new RuntimeException(failure);
  }
}
