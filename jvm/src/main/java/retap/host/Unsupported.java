package retap.host;

/** This device has no means for something. */
public final class Unsupported extends RuntimeException {
  public Unsupported(String what) {
    super(what);
  }
}
