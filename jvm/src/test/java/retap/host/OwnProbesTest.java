package retap.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import org.jacoco.core.instr.Instrumenter;
import org.jacoco.core.runtime.OfflineInstrumentationAccessGenerator;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.Opcodes;

class OwnProbesTest {
  /** Something with a branch. */
  public static final class Chooser {
    public static String choose(int number) {
      return number > 0 ? "more" : "less";
    }
  }

  private static byte[] chooser() throws IOException {
    try (InputStream in = Chooser.class.getResourceAsStream("OwnProbesTest$Chooser.class")) {
      byte[] code = in.readAllBytes();
      // JaCoCo's probes are others in classes of newer versions, which dex2jar does not make.
      code[7] = Opcodes.V1_8;
      return code;
    }
  }

  @Test
  void anAppThatWasBuiltWithProbesIsCounted() throws Exception {
    byte[] original = chooser();
    assertSame(original, OwnProbes.removed(original));
    byte[] built =
        new Instrumenter(new OfflineInstrumentationAccessGenerator()).instrument(original, "");
    Coverage coverage = new Coverage();
    assertFalse(coverage.number(built, "Chooser"), "JaCoCo refuses it");
    byte[] removed = OwnProbes.removed(built);
    assertTrue(coverage.number(removed, "Chooser"));
    Coverage plain = new Coverage();
    plain.number(original, "Chooser");
    assertTrue(plain.total() > 2 && coverage.total() >= plain.total());
    Class<?> defined =
        new ClassLoader(OwnProbesTest.class.getClassLoader()) {
          Class<?> define() {
            return defineClass(null, removed, 0, removed.length);
          }
        }.define();
    assertEquals("more", defined.getMethod("choose", int.class).invoke(null, 1));
  }
}
