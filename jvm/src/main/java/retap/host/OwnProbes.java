package retap.host;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Removes JaCoCo's probes from apps that were built with them: JaCoCo refuses to put its probes
 * into such a class again. What the old ones store goes to an array that nobody reads.
 */
public final class OwnProbes extends ClassVisitor {
  private static final String INIT = "$jacocoInit";
  private static final String DATA = "$jacocoData";
  private static final String PROBES = "[Z";

  /** No class has more: each probe takes some bytes of a method. */
  private static final boolean[] UNREAD = new boolean[1 << 16];

  private OwnProbes(ClassVisitor next) {
    super(Opcodes.ASM9, next);
  }

  /** The class without probes of its own; the same bytes where it has none. */
  static byte[] removed(byte[] original) {
    if (!names(original, INIT) && !names(original, DATA)) {
      return original;
    }
    ClassReader reader = new ClassReader(original);
    ClassWriter writer = new ClassWriter(0);
    reader.accept(new OwnProbes(writer), 0);
    return writer.toByteArray();
  }

  private static boolean names(byte[] code, String name) {
    byte[] wanted = name.getBytes(StandardCharsets.US_ASCII);
    for (int at = 0; at + wanted.length <= code.length; at++) {
      if (code[at] == wanted[0]
          && Arrays.equals(code, at, at + wanted.length, wanted, 0, wanted.length)) {
        return true;
      }
    }
    return false;
  }

  /** Called by the app's classes in the place of their own method. */
  public static boolean[] unread() {
    return UNREAD;
  }

  @Override
  public FieldVisitor visitField(
      int access, String name, String descriptor, String signature, Object value) {
    return name.equals(DATA) ? null : super.visitField(access, name, descriptor, signature, value);
  }

  @Override
  public MethodVisitor visitMethod(
      int access, String name, String descriptor, String signature, String[] exceptions) {
    if (name.equals(INIT)) {
      return null;
    }
    MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
    return new MethodVisitor(Opcodes.ASM9, next) {
      @Override
      public void visitMethodInsn(
          int opcode, String owner, String name, String descriptor, boolean isInterface) {
        if (name.equals(INIT)) {
          pushUnread(mv);
        } else {
          super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
        }
      }

      @Override
      public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
        if (!name.equals(DATA)) {
          super.visitFieldInsn(opcode, owner, name, descriptor);
        } else if (opcode == Opcodes.PUTSTATIC) {
          super.visitInsn(Opcodes.POP);
        } else {
          pushUnread(mv);
        }
      }
    };
  }

  private static void pushUnread(MethodVisitor code) {
    String self = OwnProbes.class.getName().replace('.', '/');
    code.visitMethodInsn(Opcodes.INVOKESTATIC, self, "unread", "()" + PROBES, false);
  }
}
