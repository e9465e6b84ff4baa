package retap.host;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;

/**
 * Threads, known by which they are. Threads of apps may have hash codes of their own, those that
 * have none follow the seed, and both must not be asked for them: it would change what they find.
 */
final class WeakThreads {
  private final List<WeakReference<Thread>> all = new ArrayList<>();

  synchronized void add(Thread thread) {
    all.removeIf(known -> known.refersTo(null) || known.refersTo(thread));
    all.add(new WeakReference<>(thread));
  }

  synchronized void addAll(Collection<Thread> threads) {
    threads.forEach(this::add);
  }

  synchronized void remove(Thread thread) {
    all.removeIf(known -> known.refersTo(thread));
  }

  synchronized void clear() {
    all.clear();
  }

  synchronized boolean contains(Thread thread) {
    for (WeakReference<Thread> known : all) {
      if (known.refersTo(thread)) {
        return true;
      }
    }
    return false;
  }

  synchronized boolean any(Predicate<Thread> is) {
    for (WeakReference<Thread> known : all) {
      Thread thread = known.get();
      if (thread != null && is.test(thread)) {
        return true;
      }
    }
    return false;
  }
}
