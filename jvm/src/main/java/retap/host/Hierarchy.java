package retap.host;

import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Who has which method. Compilers name the class that a call is written for, and not the one above
 * it that has the method: {@code GregorianCalendar.getInstance()} is one of {@code Calendar}.
 */
final class Hierarchy {
  /** Class files of apps may name each other as parents. */
  private static final int DEEPEST = 200;

  private static final Shape NONE = new Shape(null, Set.of());

  private final Source source;
  private final Map<String, Shape> shapes = new HashMap<>();

  /** Where class files are that are not Java's own. */
  interface Source {
    /** The class of this name, as {@code a/B}; null where there is none. */
    byte[] bytes(String name) throws IOException;
  }

  private record Shape(String parent, Set<String> methods) {}

  Hierarchy(Source source) {
    this.source = source;
  }

  /**
   * The class whose method is meant by this one of {@code owner}: itself or one above it, and
   * itself where nobody has the method.
   */
  synchronized String declaring(String owner, String method) {
    String at = owner;
    for (int depth = 0; at != null && depth < DEEPEST; depth++) {
      Shape shape = shapes.computeIfAbsent(at, this::read);
      if (shape.methods.contains(method)) {
        return at;
      }
      at = shape.parent;
    }
    return owner;
  }

  private Shape read(String name) {
    try {
      byte[] bytes = source.bytes(name);
      return bytes == null ? ofJava(name) : shape(new ClassReader(bytes));
    } catch (IOException | RuntimeException unreadable) {
      // It will not be loaded either, and then Java says why.
      return NONE;
    }
  }

  private static Shape ofJava(String name) throws IOException {
    try (InputStream file =
        ClassLoader.getPlatformClassLoader().getResourceAsStream(name + ".class")) {
      return file == null ? NONE : shape(new ClassReader(file));
    }
  }

  private static Shape shape(ClassReader reader) {
    Set<String> methods = new HashSet<>();
    ClassVisitor each =
        new ClassVisitor(Opcodes.ASM9) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] exceptions) {
            methods.add(name + descriptor);
            return null;
          }
        };
    reader.accept(each, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    return new Shape(reader.getSuperName(), methods);
  }
}
