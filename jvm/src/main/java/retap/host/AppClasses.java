package retap.host;

import java.io.IOException;
import java.io.InputStream;

/**
 * Loads the app's classes. It is thrown away at a reset, and with it everything that is static in
 * them.
 */
final class AppClasses extends ClassLoader {
  static {
    registerAsParallelCapable();
  }

  private final AppCode code;
  private final ClassLoader sandbox;

  AppClasses(AppCode code, ClassLoader sandbox) {
    super(sandbox);
    this.code = code;
    this.sandbox = sandbox;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    synchronized (getClassLoadingLock(name)) {
      Class<?> known = findLoadedClass(name);
      if (known != null) {
        return known;
      }
      if (code.isAndroid(name) || name.startsWith("retap.")) {
        return sandbox.loadClass(name);
      }
      if (isLegacy(name)) {
        try {
          return sandbox.loadClass(name);
        } catch (ClassNotFoundException neverAndroids) {
          // A newer part of the client, which apps bring with them.
        }
      }
      byte[] bytes = bytes(name);
      if (bytes != null) {
        return defineClass(name, bytes, 0, bytes.length);
      }
      return ofJava(name);
    }
  }

  /** The HTTP client that was a part of Android once, and still is for old apps. */
  private static boolean isLegacy(String name) {
    return name.startsWith("org.apache.http.") || name.startsWith("org.apache.commons.logging.");
  }

  @Override
  public InputStream getResourceAsStream(String file) {
    try {
      return code.resource(file);
    } catch (IOException failure) {
      return null;
    }
  }

  private byte[] bytes(String name) throws ClassNotFoundException {
    try {
      return code.bytes(name);
    } catch (IOException failure) {
      throw new ClassNotFoundException(name, failure);
    }
  }

  /** Java's own classes. The libraries of this program are not the app's business. */
  private static Class<?> ofJava(String name) throws ClassNotFoundException {
    return ClassLoader.getPlatformClassLoader().loadClass(name);
  }
}
