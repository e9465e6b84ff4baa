package retap.host;

import com.googlecode.d2j.Method;
import com.googlecode.d2j.node.DexClassNode;
import com.googlecode.d2j.node.DexFileNode;
import com.googlecode.d2j.node.DexMethodNode;
import com.googlecode.d2j.node.insn.DexStmtNode;
import com.googlecode.d2j.node.insn.MethodStmtNode;
import com.googlecode.d2j.node.insn.Stmt2RNode;
import com.googlecode.d2j.node.insn.TypeStmtNode;
import com.googlecode.d2j.reader.BaseDexFileReader;
import com.googlecode.d2j.reader.Op;
import com.googlecode.d2j.visitors.DexFileVisitor;
import java.util.HashMap;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.Remapper;

/**
 * Objects that are made by a constructor of another class.
 *
 * <p>R8 inlines constructors: a new object is handed to the constructor of a class above its own.
 * Android and a JVM that does not verify allow that. But dex2jar takes the owner of the constructor
 * for the class that is made. So both are named to it as one class, and parted in what it wrote.
 */
final class Constructors implements BaseDexFileReader {
  private static final String BY = "$$retap$by$$";

  private final BaseDexFileReader reader;

  Constructors(BaseDexFileReader reader) {
    this.reader = reader;
  }

  @Override
  public void accept(DexFileVisitor visitor, int config) {
    DexFileNode file = new DexFileNode();
    reader.accept(file, config);
    for (DexClassNode each : file.clzs) {
      for (DexMethodNode method : each.methods == null ? List.<DexMethodNode>of() : each.methods) {
        if (method.codeNode != null) {
          join(method.codeNode.stmts);
        }
      }
    }
    visitor.visitDexFileVersion(file.dexVersion);
    file.accept(visitor);
  }

  @Override
  public void accept(DexFileVisitor visitor) {
    accept(visitor, 0);
  }

  @Override
  public void accept(DexFileVisitor visitor, int nth, int config) {
    throw new UnsupportedOperationException("classes are read together");
  }

  @Override
  public int getDexVersion() {
    return reader.getDexVersion();
  }

  @Override
  public List<String> getClassNames() {
    return reader.getClassNames();
  }

  /** Names the class that is made where another one's constructor is called. */
  static void join(List<DexStmtNode> code) {
    Map<Integer, TypeStmtNode> made = new HashMap<>();
    for (ListIterator<DexStmtNode> at = code.listIterator(); at.hasNext(); ) {
      DexStmtNode each = at.next();
      if (each instanceof TypeStmtNode type && each.op == Op.NEW_INSTANCE) {
        made.put(type.a, type);
      } else if (each instanceof Stmt2RNode move && made.containsKey(move.b)) {
        made.put(move.a, made.get(move.b));
      } else if (each instanceof MethodStmtNode call && call.method.getName().equals("<init>")) {
        TypeStmtNode one = made.get(call.args[0]);
        made.values().removeIf(other -> other == one);
        if (one != null && !one.type.equals(call.method.getOwner())) {
          at.set(new MethodStmtNode(call.op, call.args, join(one.type, call.method)));
        }
      }
    }
  }

  private static Method join(String type, Method called) {
    String both = type.substring(0, type.length() - 1) + BY + called.getOwner().substring(1);
    return new Method(both, called.getName(), called.getProto());
  }

  /** Parts the two again in a class that dex2jar wrote. */
  static ClassVisitor part(ClassVisitor next) {
    Remapper made =
        new Remapper(Opcodes.ASM9) {
          @Override
          public String map(String name) {
            int end = name.indexOf(BY);
            return end < 0 ? name : name.substring(0, end);
          }
        };
    return new Calls(new ClassRemapper(next, made));
  }

  /** Calls of constructors, which are those of the second class. */
  private static final class Calls extends ClassVisitor {
    Calls(ClassVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
      return new MethodVisitor(Opcodes.ASM9, next) {
        @Override
        public void visitMethodInsn(
            int opcode, String owner, String called, String type, boolean isInterface) {
          int end = owner.indexOf(BY);
          String by = end < 0 ? owner : owner.substring(end + BY.length());
          super.visitMethodInsn(opcode, by, called, type, isInterface);
        }
      };
    }
  }
}
