package retap.host;

import com.google.gson.JsonObject;
import com.googlecode.d2j.dex.Dex2jar;
import com.googlecode.d2j.reader.BaseDexFileReader;
import com.googlecode.d2j.reader.MultiDexFileReader;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipFile;

/** Turns the code of an APK into class files: {@code Convert APP.apk OUT.jar}. */
public final class Convert {
  private Convert() {}

  public static void main(String[] arguments) {
    JsonObject answer = new JsonObject();
    try {
      JsonObject done = new JsonObject();
      done.addProperty("classes", convert(Path.of(arguments[0]), Path.of(arguments[1])));
      answer.add("ok", done);
    } catch (Throwable failure) {
      answer.addProperty("error", "its code cannot be read: " + failure);
    }
    System.out.println(answer);
    System.exit(0);
  }

  private static long convert(Path apk, Path out) throws Exception {
    BaseDexFileReader reader = MultiDexFileReader.open(Files.readAllBytes(apk));
    Dex2jar.from(reader).skipDebug(false).topoLogicalSort().to(out);
    try (ZipFile made = new ZipFile(new File(out.toString()))) {
      return made.stream().filter(entry -> entry.getName().endsWith(".class")).count();
    }
  }
}
