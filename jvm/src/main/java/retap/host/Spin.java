package retap.host;

/**
 * How often a thread has read a clock that stood still: one that waits for a time to come by
 * reading the clock again and again would wait for ever. How often is the same in every run.
 */
final class Spin {
  /** Nobody needs the time so often at once who does not wait for another one. */
  private static final int MOST_READS = 1_000;

  private static final ThreadLocal<Spin> OF_THREAD = ThreadLocal.withInitial(Spin::new);

  private long at;
  private long message;
  private int reads;

  /** Whether this thread has read this time too often while it was busy with this message. */
  static boolean isOne(long nanos, long message) {
    return OF_THREAD.get().reads(nanos, message);
  }

  private boolean reads(long nanos, long during) {
    if (at != nanos || message != during) {
      at = nanos;
      message = during;
      reads = 0;
    }
    return ++reads > MOST_READS;
  }
}
