package retap.host;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Where the probes of a class are: read from its instrumented code, in which passing one stores
 * true in an array.
 */
final class ProbeNames extends ClassVisitor {
  private final String[] names;
  private String simpleName;

  private ProbeNames(int probes) {
    super(Opcodes.ASM9);
    names = new String[probes];
  }

  /**
   * For each probe such as {@code SplitBill.AddPerson:101}; null for one that could not be found.
   */
  static String[] of(byte[] instrumented, int probes) {
    ProbeNames found = new ProbeNames(probes);
    new ClassReader(instrumented).accept(found, ClassReader.SKIP_FRAMES);
    return found.names;
  }

  @Override
  public void visit(
      int version, int access, String name, String signature, String parent, String[] interfaces) {
    simpleName = name.substring(name.lastIndexOf('/') + 1);
  }

  @Override
  public MethodVisitor visitMethod(
      int access, String method, String descriptor, String signature, String[] exceptions) {
    return new MethodVisitor(Opcodes.ASM9) {
      private int line;
      private int before;
      private int last;

      @Override
      public void visitLineNumber(int number, Label start) {
        line = number;
      }

      @Override
      public void visitInsn(int opcode) {
        if (opcode == Opcodes.BASTORE && last == 1 && before >= 0 && before < names.length) {
          names[before] = simpleName + "." + method + (line > 0 ? ":" + line : "");
        }
        boolean constant = opcode >= Opcodes.ICONST_0 && opcode <= Opcodes.ICONST_5;
        push(constant ? opcode - Opcodes.ICONST_0 : -1);
      }

      @Override
      public void visitIntInsn(int opcode, int operand) {
        push(operand);
      }

      @Override
      public void visitLdcInsn(Object value) {
        push(value instanceof Integer number ? number : -1);
      }

      private void push(int value) {
        before = last;
        last = value;
      }
    };
  }
}
