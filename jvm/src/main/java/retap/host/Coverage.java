package retap.host;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jacoco.core.instr.Instrumenter;
import org.jacoco.core.internal.data.CRC64;
import org.jacoco.core.runtime.IExecutionDataAccessorGenerator;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Which probes of the app's code were passed. JaCoCo puts one on every edge of the control flow
 * that tells lines and branches apart; a coverage item is such a probe. The numbers are the same in
 * every process: classes are numbered in the order of their names.
 */
public final class Coverage implements IExecutionDataAccessorGenerator {
  /** What the app's classes report to; there is one app in a process. */
  private static volatile Coverage current;

  private final Instrumenter instrumenter = new Instrumenter(this);
  private final Map<Long, Integer> offsets = new HashMap<>();
  private final Map<Long, boolean[]> probes = new HashMap<>();
  private final NavigableMap<Integer, String> files = new TreeMap<>();
  private final Map<Integer, String[]> names = new HashMap<>();
  private final Set<Integer> told = new HashSet<>();
  private int total;

  /** From now on the app's classes report here, whatever an app has done before. */
  void begin() {
    current = this;
  }

  /**
   * Gives the probes of a class their numbers. Classes must come in the order of their names. Says
   * whether that is possible: not every class that dex2jar makes can be instrumented, and such a
   * class has no coverage.
   */
  boolean number(byte[] original, String file) {
    long id = CRC64.classId(original);
    ProbeCount count = new ProbeCount();
    try {
      new Instrumenter(count).instrument(original, "");
    } catch (IOException unreadable) {
      return false;
    }
    if (count.probes > 0 && offsets.putIfAbsent(id, total) == null) {
      files.put(total, file);
      total += count.probes;
    }
    return true;
  }

  byte[] instrument(byte[] original, String name) throws IOException {
    long id = CRC64.classId(original);
    return offsets.containsKey(id) ? instrumenter.instrument(original, name) : original;
  }

  int total() {
    return total;
  }

  /** The probes of a class that an app's class loader has loaded. Called by the class itself. */
  public static boolean[] probes(long id, int count) {
    Coverage coverage = current;
    synchronized (coverage) {
      return coverage.probes.computeIfAbsent(id, ignored -> new boolean[count]);
    }
  }

  /** What was passed since this was last asked, in order. */
  synchronized List<Integer> take() {
    List<Integer> passed = new ArrayList<>();
    probes.forEach(
        (id, hits) -> {
          int offset = offsets.getOrDefault(id, -1);
          for (int probe = 0; probe < hits.length; probe++) {
            if (hits[probe] && offset >= 0) {
              passed.add(offset + probe);
            }
          }
          Arrays.fill(hits, false);
        });
    passed.sort(null);
    return passed;
  }

  /** What these probes are called, those left out that were told before. */
  synchronized Map<Integer, String> newNames(List<Integer> passed, AppCode code)
      throws IOException {
    Map<Integer, String> found = new TreeMap<>();
    for (int probe : passed) {
      if (!told.add(probe)) {
        continue;
      }
      Map.Entry<Integer, String> file = files.floorEntry(probe);
      String[] ofClass = names.get(file.getKey());
      if (ofClass == null) {
        ofClass = namesOf(code.original(file.getValue()));
        names.put(file.getKey(), ofClass);
      }
      String name = ofClass[probe - file.getKey()];
      if (name != null) {
        found.put(probe, name);
      }
    }
    return found;
  }

  private static String[] namesOf(byte[] original) throws IOException {
    ProbeCount count = new ProbeCount();
    byte[] instrumented = new Instrumenter(count).instrument(original, "");
    return ProbeNames.of(instrumented, count.probes);
  }

  @Override
  public int generateDataAccessor(long id, String name, int count, MethodVisitor code) {
    code.visitLdcInsn(id);
    code.visitLdcInsn(count);
    code.visitMethodInsn(Opcodes.INVOKESTATIC, "retap/host/Coverage", "probes", "(JI)[Z", false);
    return 3;
  }

  private static final class ProbeCount implements IExecutionDataAccessorGenerator {
    int probes;

    @Override
    public int generateDataAccessor(long id, String name, int count, MethodVisitor code) {
      probes = count;
      code.visitInsn(Opcodes.ACONST_NULL);
      return 1;
    }
  }
}
