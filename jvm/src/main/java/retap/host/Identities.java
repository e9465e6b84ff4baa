package retap.host;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/**
 * What objects are told apart by that have no hash code of their own. Java makes it of what a
 * thread has done before, so that it differs from process to process; here it follows the seed and
 * the order in which it is asked for.
 */
final class Identities {
  private final Random dice;
  private final Map<Reference<?>, Integer> known = new HashMap<>();
  private final ReferenceQueue<Object> gone = new ReferenceQueue<>();

  Identities(long seed) {
    dice = new Random(~seed);
  }

  synchronized int of(Object object) {
    for (Reference<?> old = gone.poll(); old != null; old = gone.poll()) {
      known.remove(old);
    }
    return known.computeIfAbsent(new Key(object, gone), ignored -> 1 + dice.nextInt(1 << 25));
  }

  /** Equal to another of the same object, and to itself when the object is gone. */
  private static final class Key extends WeakReference<Object> {
    private final int hash;

    Key(Object object, ReferenceQueue<Object> gone) {
      super(object, gone);
      hash = System.identityHashCode(object);
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public boolean equals(Object other) {
      Object mine = get();
      return this == other || mine != null && other instanceof Key key && key.refersTo(mine);
    }
  }
}
