package retap.host;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import javax.inject.Named;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.robolectric.internal.AndroidSandbox;
import org.robolectric.internal.bytecode.ClassInstrumentor;
import org.robolectric.internal.bytecode.InstrumentationConfiguration;
import org.robolectric.pluginapi.Sdk;

/**
 * Loads the framework and the shadows.
 *
 * <p>Shadows name types of newer Androids in their signatures. Where the framework in use has none
 * of that name, an empty class stands in. Apps do not see these: {@link AppClasses} asks the
 * framework's jar first.
 */
public final class SandboxLoader extends AndroidSandbox.SdkSandboxClassLoader {
  private static final String[] FRAMEWORK = {"android/", "com/android/", "dalvik/", "libcore/"};

  public SandboxLoader(
      InstrumentationConfiguration config,
      @Named("runtimeSdk") Sdk runtimeSdk,
      ClassInstrumentor classInstrumentor) {
    super(config, runtimeSdk, classInstrumentor);
  }

  @Override
  protected InputStream getClassBytesFromAlternateClassLoader(String file) {
    if (!isFramework(file) || getParent().getResource(file) != null) {
      return null;
    }
    return new ByteArrayInputStream(standIn(file.substring(0, file.length() - ".class".length())));
  }

  private static boolean isFramework(String file) {
    for (String prefix : FRAMEWORK) {
      if (file.startsWith(prefix)) {
        return true;
      }
    }
    return false;
  }

  private static byte[] standIn(String name) {
    ClassWriter writer = new ClassWriter(0);
    writer.visit(Opcodes.V1_8, Opcodes.ACC_PUBLIC, name, null, "java/lang/Object", null);
    MethodVisitor init = writer.visitMethod(Opcodes.ACC_PUBLIC, "<init>", "()V", null, null);
    init.visitCode();
    init.visitVarInsn(Opcodes.ALOAD, 0);
    init.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
    init.visitInsn(Opcodes.RETURN);
    init.visitMaxs(1, 1);
    init.visitEnd();
    writer.visitEnd();
    return writer.toByteArray();
  }
}
