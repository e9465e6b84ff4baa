package retap.sample;

import com.android.dx.command.dexer.DxContext;
import com.android.dx.command.dexer.Main;
import com.android.dx.command.dexer.Main.Arguments;
import com.google.gson.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Builds an app from a folder with {@code AndroidManifest.xml}, {@code res} and {@code java},
 * without Android's SDK: {@code Build FOLDER OUT.apk}. The same sources give the same bytes with
 * the same JDK.
 */
public final class Build {
  /** The time of all files. With an older one Java adds a second time, in the host's time zone. */
  private static final LocalDateTime TIME = LocalDateTime.of(1980, 2, 1, 0, 0);

  private Build() {}

  public static void main(String[] arguments) {
    JsonObject answer = new JsonObject();
    try {
      JsonObject done = new JsonObject();
      done.addProperty("bytes", build(Path.of(arguments[0]), Path.of(arguments[1])));
      answer.add("ok", done);
    } catch (Throwable failure) {
      failure.printStackTrace();
      answer.addProperty("error", "the app cannot be built: " + failure);
    }
    System.out.println(answer);
    System.exit(answer.has("ok") ? 0 : 1);
  }

  static long build(Path folder, Path out) throws Exception {
    ResourceTable resources = new ResourceTable(folder);
    SortedMap<String, byte[]> files = resources.encode();
    Path work = Files.createTempDirectory("retap-sample");
    try {
      files.put("classes.dex", dex(compile(folder.resolve("java"), resources, work), work));
    } finally {
      remove(work);
    }
    byte[] apk = zip(files);
    // Whoever sees the file sees all of it.
    Path part = Files.createTempFile(out.toAbsolutePath().getParent(), "sample", ".part");
    Files.write(part, apk);
    Files.move(part, out, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    return apk.length;
  }

  private static Path compile(Path sources, ResourceTable resources, Path work) throws IOException {
    Path r = work.resolve("R.java");
    Files.writeString(r, resources.source());
    Path classes = Files.createDirectory(work.resolve("classes"));
    List<Path> java = new ArrayList<>(List.of(r));
    try (Stream<Path> found = Files.walk(sources)) {
      found.filter(file -> file.toString().endsWith(".java")).sorted().forEach(java::add);
    }
    // Java's classes are those of version 8: what the host has newer cannot be used by mistake.
    List<String> options = new ArrayList<>();
    options.addAll(List.of("--release", "8", "-g", "-encoding", "UTF-8"));
    options.addAll(List.of("-proc:none", "-implicit:none", "-Xlint:-options"));
    options.addAll(List.of("-cp", android(), "-sourcepath", standIns(work).toString()));
    options.addAll(List.of("-d", classes.toString()));
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    if (compiler == null) {
      throw new IOException("this is a Java runtime without a compiler: a JDK is needed");
    }
    StringWriter told = new StringWriter();
    try (StandardJavaFileManager manager =
        compiler.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8)) {
      boolean done =
          compiler
              .getTask(
                  told, manager, null, options, null, manager.getJavaFileObjectsFromPaths(java))
              .call();
      if (!done) {
        throw new IOException(told.toString());
      }
    }
    return classes;
  }

  /** The jar with Android's framework: the one on our own class path. */
  private static String android() throws IOException {
    URL found = Build.class.getClassLoader().getResource("android/app/Activity.class");
    if (found == null || !(found.openConnection() instanceof JarURLConnection jar)) {
      throw new IOException("Android's framework is not on the class path");
    }
    return jar.getJarFile().getName();
  }

  /**
   * Robolectric has put interfaces on Android's classes, whose methods the compiler does not find
   * in them. It is given empty ones of these names, and makes no class files of them.
   */
  private static Path standIns(Path work) throws IOException {
    Path sources = work.resolve("stand-ins");
    Path folder = Files.createDirectories(sources.resolve("org/robolectric/internal/bytecode"));
    for (String name : List.of("InstrumentedInterface", "ShadowedObject")) {
      Files.writeString(
          folder.resolve(name + ".java"),
          "package org.robolectric.internal.bytecode; public interface " + name + " {}");
    }
    return sources;
  }

  private static byte[] dex(Path classes, Path work) throws IOException {
    Path out = work.resolve("classes.dex");
    ByteArrayOutputStream told = new ByteArrayOutputStream();
    DxContext context = new DxContext(told, told);
    Arguments arguments = new Arguments(context);
    arguments.parseFlags(new String[] {"--min-sdk-version=21", "--output=" + out});
    arguments.fileNames = new String[] {classes.toString()};
    arguments.makeOptionsObjects();
    if (new Main(context).runDx(arguments) != 0) {
      throw new IOException(told.toString(StandardCharsets.UTF_8));
    }
    return Files.readAllBytes(out);
  }

  /** Nothing is compressed: the app is small, and the bytes depend on no version of zlib. */
  private static byte[] zip(Map<String, byte[]> files) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      zip.setMethod(ZipOutputStream.STORED);
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        ZipEntry entry = new ZipEntry(file.getKey());
        CRC32 sum = new CRC32();
        sum.update(file.getValue());
        entry.setTimeLocal(TIME);
        entry.setSize(file.getValue().length);
        entry.setCrc(sum.getValue());
        zip.putNextEntry(entry);
        zip.write(file.getValue());
      }
    }
    return bytes.toByteArray();
  }

  private static void remove(Path folder) throws IOException {
    try (Stream<Path> found = Files.walk(folder)) {
      for (Path path : found.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
