package retap.sample;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.googlecode.d2j.reader.DexFileReader;
import com.reandroid.apk.ApkModule;
import com.reandroid.arsc.chunk.xml.AndroidManifestBlock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.TimeZone;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BuildTest {
  private static final Path SAMPLE = Path.of("sample");

  @TempDir Path scratch;

  @Test
  void theSameSourcesGiveTheSameBytes() throws Exception {
    Path first = scratch.resolve("first.apk");
    Build.build(SAMPLE, first);
    Path elsewhere = scratch.resolve("a folder of another name");
    copy(SAMPLE, elsewhere);
    Path second = scratch.resolve("second.apk");
    TimeZone zone = TimeZone.getDefault();
    Locale locale = Locale.getDefault();
    try {
      TimeZone.setDefault(TimeZone.getTimeZone("Pacific/Auckland"));
      Locale.setDefault(Locale.forLanguageTag("tr-TR"));
      Build.build(elsewhere, second);
    } finally {
      TimeZone.setDefault(zone);
      Locale.setDefault(locale);
    }
    assertArrayEquals(Files.readAllBytes(first), Files.readAllBytes(second));
    Path word = elsewhere.resolve("res/values/strings.xml");
    Files.writeString(word, Files.readString(word).replace("Pantry", "Larder"));
    Path third = scratch.resolve("third.apk");
    Build.build(elsewhere, third);
    assertTrue(Files.mismatch(second, third) >= 0, "other sources give other bytes");
  }

  @Test
  void whatIsBuiltIsAnApp() throws Exception {
    Path file = scratch.resolve("pantry.apk");
    assertEquals(Build.build(SAMPLE, file), Files.size(file));
    try (ApkModule apk = ApkModule.loadApkFile(file.toFile())) {
      AndroidManifestBlock manifest = apk.getAndroidManifest();
      assertEquals("org.retap.pantry", manifest.getPackageName());
      assertEquals(29, manifest.getTargetSdkVersion());
      assertEquals(
          "org.retap.pantry.PantryActivity",
          manifest.getMainActivity().searchAttributeByResourceId(0x01010003).getValueAsString());
      assertEquals("org.retap.pantry", apk.getTableBlock().pickOne().getName());
    }
    try (ZipFile zip = new ZipFile(file.toFile())) {
      byte[] dex = zip.getInputStream(zip.getEntry("classes.dex")).readAllBytes();
      List<String> classes = new DexFileReader(dex).getClassNames();
      for (String name : List.of("PantryActivity", "ItemActivity", "Summary", "Undo", "R")) {
        assertTrue(classes.contains("Lorg/retap/pantry/" + name + ";"), name + " of " + classes);
      }
      assertFalse(classes.stream().anyMatch(name -> !name.startsWith("Lorg/retap/pantry/")));
    }
  }

  @Test
  void whatDoesNotCompileLeavesNothing() throws Exception {
    Path sources = scratch.resolve("sources");
    copy(SAMPLE, sources);
    Files.writeString(sources.resolve("java/org/retap/pantry/Item.java"), "class {");
    Path out = Files.createDirectory(scratch.resolve("out"));
    assertThrows(IOException.class, () -> Build.build(sources, out.resolve("a.apk")));
    try (Stream<Path> left = Files.list(out)) {
      assertEquals(0, left.count());
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
  }
}
