package retap.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.googlecode.d2j.DexConstants;
import com.googlecode.d2j.Method;
import com.googlecode.d2j.dex.Dex2jar;
import com.googlecode.d2j.node.DexFileNode;
import com.googlecode.d2j.reader.BaseDexFileReader;
import com.googlecode.d2j.reader.Op;
import com.googlecode.d2j.visitors.DexClassVisitor;
import com.googlecode.d2j.visitors.DexCodeVisitor;
import com.googlecode.d2j.visitors.DexFileVisitor;
import com.googlecode.d2j.visitors.DexMethodVisitor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;

class ConvertTest {
  @TempDir Path folder;

  @Test
  void anObjectIsOfTheClassThatIsMadeWhoeverItsConstructorIs() throws Exception {
    List<String> made =
        madeBy(
            code -> {
              code.visitRegister(2);
              code.visitTypeStmt(Op.NEW_INSTANCE, 0, -1, "La/Empty;");
              code.visitStmt2R(Op.MOVE_OBJECT, 1, 0);
              code.visitMethodStmt(
                  Op.INVOKE_DIRECT, new int[] {1}, constructor("Ljava/lang/Object;"));
              code.visitStmt1R(Op.RETURN_OBJECT, 0);
            });
    assertEquals(List.of("new a/Empty", "java/lang/Object.<init>"), made);
  }

  @Test
  void otherObjectsAreMadeAsTheyWere() throws Exception {
    List<String> made =
        madeBy(
            code -> {
              code.visitRegister(2);
              code.visitTypeStmt(Op.NEW_INSTANCE, 0, -1, "La/Empty;");
              code.visitMethodStmt(Op.INVOKE_DIRECT, new int[] {0}, constructor("La/Empty;"));
              code.visitTypeStmt(Op.NEW_INSTANCE, 1, -1, "Ljava/lang/Object;");
              code.visitMethodStmt(
                  Op.INVOKE_DIRECT, new int[] {1}, constructor("Ljava/lang/Object;"));
              code.visitStmt1R(Op.RETURN_OBJECT, 0);
            });
    assertEquals(
        List.of("new a/Empty", "a/Empty.<init>", "new java/lang/Object", "java/lang/Object.<init>"),
        made);
  }

  @Test
  void aHandlerOfExceptionsHasRoomOnTheStack() {
    MethodNode method =
        checked(
            code -> {
              Label start = new Label();
              Label end = new Label();
              Label handler = new Label();
              code.visitTryCatchBlock(start, end, handler, null);
              code.visitLabel(start);
              code.visitMethodInsn(Opcodes.INVOKESTATIC, "a/Made", "make", "()V", false);
              code.visitLabel(end);
              code.visitInsn(Opcodes.RETURN);
              code.visitLabel(handler);
              code.visitInsn(Opcodes.POP);
              code.visitInsn(Opcodes.RETURN);
              code.visitMaxs(0, 0);
            });
    assertEquals(1, method.maxStack);
  }

  @Test
  void anIllegalMethodSaysThatItIsNotConverted() {
    MethodNode method =
        checked(
            code -> {
              code.visitInsn(Opcodes.ICONST_0);
              code.visitInsn(Opcodes.ATHROW);
              code.visitMaxs(1, 0);
            });
    assertEquals("a.Made.make", ((LdcInsnNode) method.instructions.getFirst()).cst);
    assertEquals(List.of("retap/host/Calls.unconverted"), steps(method));
  }

  @Test
  void aStaticMethodOfAnInterfaceIsCalledAsOne() {
    MethodNode method =
        checked(
            code -> {
              code.visitMethodInsn(Opcodes.INVOKESTATIC, "a/Face", "of", "()V", false);
              code.visitMethodInsn(Opcodes.INVOKESTATIC, "a/Plain", "of", "()V", false);
              code.visitInsn(Opcodes.RETURN);
              code.visitMaxs(0, 0);
            });
    assertTrue(((MethodInsnNode) method.instructions.get(0)).itf);
    assertFalse(((MethodInsnNode) method.instructions.get(1)).itf);
  }

  private static Method constructor(String owner) {
    return new Method(owner, "<init>", new String[0], "V");
  }

  /** What a method of a dex file makes and calls when it is converted. */
  private List<String> madeBy(Consumer<DexCodeVisitor> body) throws Exception {
    DexFileNode file = new DexFileNode();
    DexClassVisitor type =
        file.visit(DexConstants.ACC_PUBLIC, "La/Made;", "Ljava/lang/Object;", new String[0]);
    Method make = new Method("La/Made;", "make", new String[0], "Ljava/lang/Object;");
    DexMethodVisitor method =
        type.visitMethod(DexConstants.ACC_PUBLIC | DexConstants.ACC_STATIC, make);
    DexCodeVisitor code = method.visitCode();
    body.accept(code);
    code.visitEnd();
    Dex2jar.from(new Constructors(new Given(file))).to(folder);
    byte[] written = Files.readAllBytes(folder.resolve("a/Made.class"));
    return steps(method(Convert.checked(written, name -> false)));
  }

  private static MethodNode checked(Consumer<MethodVisitor> body) {
    ClassWriter writer = new ClassWriter(0);
    writer.visit(Opcodes.V1_8, Opcodes.ACC_PUBLIC, "a/Made", null, "java/lang/Object", null);
    int access = Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC;
    MethodVisitor code = writer.visitMethod(access, "make", "()V", null, null);
    code.visitCode();
    body.accept(code);
    code.visitEnd();
    return method(Convert.checked(writer.toByteArray(), "a/Face"::equals));
  }

  private static MethodNode method(byte[] written) {
    ClassNode type = new ClassNode();
    new ClassReader(written).accept(type, 0);
    return type.methods.stream().filter(each -> each.name.equals("make")).findFirst().orElseThrow();
  }

  private static List<String> steps(MethodNode method) {
    List<String> steps = new ArrayList<>();
    for (AbstractInsnNode each : method.instructions) {
      if (each instanceof TypeInsnNode type && each.getOpcode() == Opcodes.NEW) {
        steps.add("new " + type.desc);
      } else if (each instanceof MethodInsnNode call) {
        steps.add(call.owner + "." + call.name);
      }
    }
    return steps;
  }

  /** A dex file that is made here. */
  private record Given(DexFileNode file) implements BaseDexFileReader {
    @Override
    public void accept(DexFileVisitor visitor, int config) {
      file.accept(visitor);
    }

    @Override
    public void accept(DexFileVisitor visitor) {
      file.accept(visitor);
    }

    @Override
    public void accept(DexFileVisitor visitor, int nth, int config) {
      file.accept(visitor);
    }

    @Override
    public int getDexVersion() {
      return file.dexVersion;
    }

    @Override
    public List<String> getClassNames() {
      return List.of();
    }
  }
}
