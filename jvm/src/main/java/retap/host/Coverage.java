package retap.host;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jacoco.core.instr.Instrumenter;
import org.jacoco.core.internal.data.CRC64;
import org.jacoco.core.runtime.IExecutionDataAccessorGenerator;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Which probes of the app's code were passed. JaCoCo puts one on every edge of the control flow that tells lines and
 * branches apart; a coverage item is such a probe. The numbers are the same in every process: classes are numbered in
 * the order of their names.
 */
public final class Coverage implements IExecutionDataAccessorGenerator {
  /** What the app's classes report to; there is one app in a process. */
  private static volatile Coverage current;

  private final Instrumenter instrumenter = new Instrumenter(this);
  private final Map<Long, Integer> offsets = new HashMap<>();
  private final Map<Long, boolean[]> probes = new HashMap<>();
  private int total;

  Coverage() {
    current = this;
  }

  /** Gives the probes of a class their numbers. Classes must come in the order of their names. */
  void number(byte[] original) {
    long id = CRC64.classId(original);
    ProbeCount count = new ProbeCount();
    try {
      new Instrumenter(count).instrument(original, "");
    } catch (IOException unreadable) {
      // Not every class that dex2jar makes can be instrumented; such a class has no coverage.
      return;
    }
    if (offsets.putIfAbsent(id, total) == null) {
      total += count.probes;
    }
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

  @Override
  public int generateDataAccessor(long id, String name, int count, MethodVisitor code) {
    code.visitLdcInsn(id);
    code.visitLdcInsn(count);
    code.visitMethodInsn(
        Opcodes.INVOKESTATIC, "retap/host/Coverage", "probes", "(JI)[Z", false);
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
