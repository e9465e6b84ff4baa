package retap.host;

import com.google.gson.JsonObject;
import com.googlecode.d2j.Method;
import com.googlecode.d2j.dex.Dex2jar;
import com.googlecode.d2j.dex.DexExceptionHandler;
import com.googlecode.d2j.node.DexMethodNode;
import com.googlecode.d2j.reader.BaseDexFileReader;
import com.googlecode.d2j.reader.MultiDexFileReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicVerifier;

/**
 * Turns the code of an APK into class files: {@code Convert APP.apk OUT.jar}.
 *
 * <p>What cannot be converted says so when it is called.
 */
public final class Convert {
  private Convert() {}

  public static void main(String[] arguments) {
    // dex2jar prints, too.
    PrintStream out = System.out;
    System.setOut(System.err);
    JsonObject answer = new JsonObject();
    try {
      JsonObject done = new JsonObject();
      done.addProperty("classes", convert(Path.of(arguments[0]), Path.of(arguments[1])));
      answer.add("ok", done);
    } catch (Throwable failure) {
      String noApp = whyNoApp(Path.of(arguments[0]));
      answer.addProperty("error", noApp == null ? "its code cannot be read: " + failure : noApp);
    }
    out.println(answer);
    System.exit(0);
  }

  /** Why a file whose code cannot be read is no APK; null when it looks like one. */
  private static String whyNoApp(Path file) {
    try (ZipFile zip = new ZipFile(file.toFile())) {
      if (zip.getEntry("base/manifest/AndroidManifest.xml") != null) {
        return "it is an app bundle (AAB), not an APK; build an APK of it";
      }
      if (zip.stream().anyMatch(each -> each.getName().endsWith(".apk"))) {
        return "it is an archive of APKs, not an APK; take the base APK out of it";
      }
      if (zip.getEntry("AndroidManifest.xml") == null) {
        return "it is no APK: it has no AndroidManifest.xml";
      }
      return zip.getEntry("classes.dex") == null ? "it has no code (classes.dex)" : null;
    } catch (IOException notRead) {
      return "it is no APK: it cannot be read as a zip file";
    }
  }

  private static long convert(Path apk, Path out) throws Exception {
    BaseDexFileReader reader = MultiDexFileReader.open(Files.readAllBytes(apk));
    Dex2jar translation = Dex2jar.from(new Constructors(reader));
    translation.setExceptionHandler(new Failures());
    translation.skipDebug(false).topoLogicalSort().to(out);
    try (FileSystem made = FileSystems.newFileSystem(out)) {
      return check(made.getPath("/"));
    }
  }

  private static long check(Path root) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(root)) {
      files = all.filter(each -> each.toString().endsWith(".class")).toList();
    }
    Interfaces interfaces = new Interfaces(root);
    for (Path file : files) {
      Files.write(file, checked(Files.readAllBytes(file), interfaces));
    }
    return files.size();
  }

  /**
   * A class whose methods are legal. Java does not verify them, since Android allows more than it
   * does, and an illegal one could end the JVM.
   */
  static byte[] checked(byte[] written, Predicate<String> isInterface) {
    ClassNode type = new ClassNode();
    new ClassReader(written).accept(Constructors.part(type), 0);
    for (MethodNode method : type.methods) {
      for (AbstractInsnNode each : method.instructions) {
        boolean isFixed =
            each.getOpcode() == Opcodes.INVOKESTATIC || each.getOpcode() == Opcodes.INVOKESPECIAL;
        if (isFixed && each instanceof MethodInsnNode call) {
          // A dex file does not say it, and dex2jar takes every owner for a class.
          call.itf = isInterface.test(call.owner);
        }
      }
      try {
        new Analyzer<>(new BasicVerifier()).analyzeAndComputeMaxs(type.name, method);
      } catch (AnalyzerException | RuntimeException illegal) {
        method.instructions.clear();
        method.tryCatchBlocks.clear();
        method.localVariables = null;
        fail(method, type.name.replace('/', '.') + "." + method.name);
      }
    }
    ClassWriter out = new ClassWriter(0);
    type.accept(out);
    return out.toByteArray();
  }

  private static void fail(MethodVisitor code, String method) {
    code.visitLdcInsn(method);
    code.visitMethodInsn(
        Opcodes.INVOKESTATIC,
        "retap/host/Calls",
        "unconverted",
        "(Ljava/lang/String;)Ljava/lang/RuntimeException;",
        false);
    code.visitInsn(Opcodes.ATHROW);
    // Room for more arguments than a method can have.
    code.visitMaxs(1, 256);
  }

  private static final class Failures implements DexExceptionHandler {
    @Override
    public void handleFileException(Exception failure) {
      throw new IllegalStateException(failure);
    }

    @Override
    public void handleMethodTranslateException(
        Method method, DexMethodNode node, MethodVisitor code, Exception failure) {
      String owner = method.getOwner();
      String type = owner.substring(1, owner.length() - 1).replace('/', '.');
      fail(code, type + "." + method.getName());
    }
  }

  /** Which classes are interfaces, of those of the app and those of the device. */
  private static final class Interfaces implements Predicate<String> {
    private final Path root;
    private final Map<String, Boolean> known = new HashMap<>();

    Interfaces(Path root) {
      this.root = root;
    }

    @Override
    public boolean test(String name) {
      return known.computeIfAbsent(name, this::look);
    }

    private boolean look(String name) {
      String file = name + ".class";
      Path own = root.resolve(file);
      try (InputStream code =
          Files.exists(own)
              ? Files.newInputStream(own)
              : ClassLoader.getSystemResourceAsStream(file)) {
        return code != null && (new ClassReader(code).getAccess() & Opcodes.ACC_INTERFACE) != 0;
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
    }
  }
}
