package retap.host;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;

/**
 * The app's classes, as files: read, instrumented and rewritten once, loaded again after every
 * reset.
 */
public final class AppCode {
  /** Code that is in many apps and no app's own: its coverage is not counted. */
  private static final String[] LIBRARIES = {
    "android/support/",
    "androidx/",
    "kotlin/",
    "kotlinx/",
    "com/google/android/",
    "com/google/common/",
    "org/apache/",
    "org/jacoco/",
    "com/vladium/",
    "okhttp3/",
    "okio/",
    "io/reactivex/",
    "dagger/",
  };

  private final JarFile classes;
  private final JarFile apk;
  private final JarFile framework;
  private final Coverage coverage;
  private final boolean wild;
  private final Hierarchy hierarchy = new Hierarchy(this::unchanged);
  private volatile ClassLoader running;
  private final Map<String, byte[]> ready = new HashMap<>();

  AppCode(Path apk, Path classes, Path framework, Coverage coverage, boolean wild)
      throws IOException {
    this.apk = open(apk);
    this.classes = open(classes);
    this.framework = new JarFile(framework.toFile());
    this.coverage = coverage;
    this.wild = wild;
    TreeSet<String> names = new TreeSet<>();
    this.classes.stream()
        .map(entry -> entry.getName())
        .filter(this::isOfTheApp)
        .forEach(names::add);
    int uncounted = 0;
    for (String name : names) {
      if (!isLibrary(name) && !coverage.number(original(name), name)) {
        uncounted++;
      }
    }
    if (uncounted > 0) {
      Notes.add(
          uncounted + " of the app's classes cannot be instrumented; the coverage leaves them out");
    }
  }

  private static JarFile open(Path file) {
    try {
      return new JarFile(file.toFile(), false);
    } catch (IOException broken) {
      throw new BadApp(file.getFileName() + " cannot be read: " + broken.getMessage());
    }
  }

  /** A class loader of the app's own, with fresh statics. */
  public ClassLoader load(ClassLoader sandbox) {
    running = new AppClasses(this, sandbox);
    return running;
  }

  /** The app's main thread goes on: it and the threads that it starts are the app's. */
  void enter() {
    if (running != null) {
      Thread.currentThread().setContextClassLoader(running);
    }
  }

  /** There is no process of the app. */
  void leave() {
    running = null;
  }

  /** A class of the app as the APK has it, without probes of its own. */
  byte[] original(String file) throws IOException {
    return OwnProbes.removed(read(classes, file));
  }

  /** A class of Android or of the app, by its name in class files; null where there is none. */
  private byte[] unchanged(String name) throws IOException {
    String file = name + ".class";
    if (framework.getEntry(file) != null) {
      return read(framework, file);
    }
    return classes.getEntry(file) == null ? null : read(classes, file);
  }

  private static boolean isLibrary(String file) {
    for (String prefix : LIBRARIES) {
      if (file.startsWith(prefix)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a frame of a stack is the app's. */
  public boolean has(String className) {
    return isOfTheApp(file(className));
  }

  /** Whether Android has this class. Its own come before the app's, as on a phone. */
  boolean isAndroid(String className) {
    return framework.getEntry(file(className)) != null;
  }

  /**
   * The bytes of one of the app's classes, ready to be defined; null when it has none of this name.
   */
  synchronized byte[] bytes(String className) throws IOException {
    byte[] known = ready.get(className);
    String file = file(className);
    if (known == null && isOfTheApp(file)) {
      byte[] original = original(file);
      known = Rewriter.rewrite(coverage.instrument(original, className), hierarchy, wild);
      ready.put(className, known);
    }
    return known;
  }

  /** A file of the APK that is not code. */
  InputStream resource(String file) throws IOException {
    ZipEntry entry = apk.getEntry(file);
    return entry == null || file.endsWith(".dex") ? null : apk.getInputStream(entry);
  }

  /** Native libraries of the APK, by their names. */
  public List<String> nativeLibraries() {
    return apk.stream()
        .map(ZipEntry::getName)
        .filter(name -> name.startsWith("lib/") && name.endsWith(".so"))
        .map(name -> name.substring(name.lastIndexOf('/') + 1))
        .distinct()
        .sorted()
        .toList();
  }

  private boolean isOfTheApp(String file) {
    return file.endsWith(".class")
        && classes.getEntry(file) != null
        && framework.getEntry(file) == null;
  }

  private static byte[] read(JarFile jar, String file) throws IOException {
    try (InputStream stream = jar.getInputStream(jar.getEntry(file))) {
      return stream.readAllBytes();
    }
  }

  private static String file(String className) {
    return className.replace('.', '/') + ".class";
  }
}
