package retap.host;

import java.util.Map;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Puts {@link Calls} in the place of what an app must not ask the host for: its clock, its dice,
 * its end.
 */
final class Rewriter extends ClassVisitor {
  private static final String CALLS = "retap/host/Calls";

  /** Static methods, and the ones that answer in their place. */
  private static final Map<String, String> ALWAYS =
      Map.of(
          "java/lang/System.exit(I)V", "exit",
          "java/lang/System.loadLibrary(Ljava/lang/String;)V", "loadLibrary",
          "java/lang/System.load(Ljava/lang/String;)V", "loadLibrary");

  private static final Map<String, String> CALM =
      Map.of(
          "java/lang/Thread.sleep(J)V", "sleep",
          "java/lang/Thread.sleep(JI)V", "sleep",
          "android/os/SystemClock.sleep(J)V", "uninterruptibleSleep",
          "java/lang/System.currentTimeMillis()J", "currentTimeMillis",
          "java/lang/System.nanoTime()J", "nanoTime",
          "java/lang/Math.random()D", "random",
          "java/util/UUID.randomUUID()Ljava/util/UUID;", "randomUuid",
          "java/util/Calendar.getInstance()Ljava/util/Calendar;", "calendar",
          "java/util/Calendar.getInstance(Ljava/util/TimeZone;)Ljava/util/Calendar;", "calendar");

  /** Instance methods, and the static ones that take the receiver first. */
  private static final Map<String, String> RECEIVERS =
      Map.of(
          "java/lang/Runtime.exit(I)V", "exit",
          "java/lang/Runtime.halt(I)V", "exit",
          "java/lang/Runtime.exec(Ljava/lang/String;)Ljava/lang/Process;", "exec",
          "java/lang/Runtime.exec([Ljava/lang/String;)Ljava/lang/Process;", "exec");

  private final boolean wild;
  private String name;
  private boolean hasSource;
  private boolean isCalendar;

  private Rewriter(ClassVisitor next, boolean wild) {
    super(Opcodes.ASM9, next);
    this.wild = wild;
  }

  static byte[] rewrite(byte[] original, boolean wild) {
    ClassReader reader = new ClassReader(original);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    reader.accept(new Rewriter(writer, wild), 0);
    return writer.toByteArray();
  }

  @Override
  public void visit(
      int version, int access, String name, String signature, String parent, String[] interfaces) {
    this.name = name;
    isCalendar = "java/util/GregorianCalendar".equals(parent);
    super.visit(version, access, name, signature, parent, interfaces);
  }

  @Override
  public void visitSource(String source, String debug) {
    hasSource = true;
    super.visitSource(source, debug);
  }

  /** Without the name of a file Java does not print lines. */
  @Override
  public void visitEnd() {
    if (!hasSource) {
      String simple = name.substring(name.lastIndexOf('/') + 1);
      int inner = simple.indexOf('$');
      super.visitSource((inner > 0 ? simple.substring(0, inner) : simple) + ".java", null);
    }
    super.visitEnd();
  }

  @Override
  public MethodVisitor visitMethod(
      int access, String name, String descriptor, String signature, String[] exceptions) {
    MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
    return new MethodVisitor(Opcodes.ASM9, next) {
      @Override
      public void visitMethodInsn(
          int opcode, String owner, String name, String descriptor, boolean isInterface) {
        if (!redirected(mv, opcode, owner, name, descriptor)) {
          super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
        }
      }
    };
  }

  private boolean redirected(
      MethodVisitor code, int opcode, String owner, String name, String descriptor) {
    String called = owner + "." + name + descriptor;
    switch (opcode) {
      case Opcodes.INVOKESTATIC -> {
        String instead = ALWAYS.getOrDefault(called, wild ? null : CALM.get(called));
        if (instead == null) {
          return false;
        }
        code.visitMethodInsn(opcode, CALLS, instead, descriptor, false);
        return true;
      }
      case Opcodes.INVOKEVIRTUAL -> {
        String instead = RECEIVERS.get(called);
        if (instead == null) {
          return false;
        }
        String with = "(L" + owner + ";" + descriptor.substring(1);
        code.visitMethodInsn(Opcodes.INVOKESTATIC, CALLS, instead, with, false);
        return true;
      }
      case Opcodes.INVOKESPECIAL -> {
        if (!wild && called.equals("java/util/GregorianCalendar.<init>()V") && !isCalendar) {
          code.visitMethodInsn(opcode, owner, name, descriptor, false);
          code.visitInsn(Opcodes.DUP);
          code.visitMethodInsn(
              Opcodes.INVOKESTATIC, CALLS, "setNow", "(Ljava/util/Calendar;)V", false);
          return true;
        }
        boolean seeded = called.equals("java/util/Random.<init>()V");
        boolean dated = called.equals("java/util/Date.<init>()V");
        if (wild || !(seeded || dated)) {
          return false;
        }
        code.visitMethodInsn(
            Opcodes.INVOKESTATIC, CALLS, seeded ? "seed" : "currentTimeMillis", "()J", false);
        code.visitMethodInsn(opcode, owner, name, "(J)V", false);
        return true;
      }
      default -> {
        return false;
      }
    }
  }
}
