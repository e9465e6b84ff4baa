package retap.sample;

import com.reandroid.apk.AndroidFrameworks;
import com.reandroid.arsc.chunk.PackageBlock;
import com.reandroid.arsc.chunk.TableBlock;
import com.reandroid.arsc.chunk.xml.AndroidManifestBlock;
import com.reandroid.arsc.chunk.xml.ResXmlDocument;
import com.reandroid.arsc.coder.xml.XmlCoder;
import com.reandroid.xml.XMLDocument;
import com.reandroid.xml.XMLElement;
import com.reandroid.xml.XMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.xmlpull.v1.XmlPullParserException;

/** The resources of an app: their numbers, the class R, the table and the XML files in binary. */
final class ResourceTable {
  private static final int APP = 0x7f;
  private static final Pattern NEW_ID = Pattern.compile("@\\+id/(\\w+)");

  /** The types of values whose elements are called otherwise. */
  private static final Map<String, String> TYPES =
      Map.of("string-array", "array", "integer-array", "array");

  private final String name;
  private final Path manifest;
  private final List<Path> files;
  private final SortedMap<String, SortedSet<String>> names = new TreeMap<>();
  private final TableBlock table = new TableBlock();
  private final PackageBlock block;

  /** Reads a folder with {@code AndroidManifest.xml} and {@code res}. */
  ResourceTable(Path folder) throws IOException, XmlPullParserException {
    manifest = folder.resolve("AndroidManifest.xml");
    XMLElement root = XMLDocument.load(Files.readString(manifest)).getDocumentElement();
    name = root.getAttributeValue("package");
    int api = Integer.parseInt(root.getAttributeValue("compileSdkVersion"));
    try (Stream<Path> found = Files.walk(folder.resolve("res"))) {
      files = found.filter(Files::isRegularFile).sorted().toList();
    }
    for (Path file : files) {
      collect(file);
    }
    table.addFramework(AndroidFrameworks.getBestMatch(api).getTableBlock());
    block = table.parsePublicXml(XMLFactory.newPullParser(numbers()));
  }

  private void collect(Path file) throws IOException, XmlPullParserException {
    if (isOfValues(file)) {
      for (XMLElement value : values(file)) {
        add(type(value), value.getAttributeValue("name"));
      }
      return;
    }
    add(type(file), simpleName(file));
    if (isXml(file)) {
      Matcher ids = NEW_ID.matcher(Files.readString(file));
      while (ids.find()) {
        add("id", ids.group(1));
      }
    }
  }

  private void add(String type, String entry) {
    names.computeIfAbsent(type, ignored -> new TreeSet<>()).add(entry);
  }

  /** All numbers, in the form of Android's {@code public.xml}. */
  private String numbers() {
    StringBuilder xml = new StringBuilder();
    xml.append("<resources package=\"").append(name).append("\" id=\"0x7f\">\n");
    forEach(
        (number, type, entry) ->
            xml.append(
                String.format(
                    "<public id=\"0x%08x\" type=\"%s\" name=\"%s\" />\n", number, type, entry)));
    return xml.append("</resources>").toString();
  }

  /** The class R. */
  String source() {
    StringBuilder java = new StringBuilder();
    java.append("package ").append(name).append(";\n\npublic final class R {\n");
    String[] last = {null};
    forEach(
        (number, type, entry) -> {
          if (!type.equals(last[0])) {
            java.append(last[0] == null ? "" : "  }\n");
            java.append("  public static final class ").append(type).append(" {\n");
            last[0] = type;
          }
          String field = entry.replace('.', '_');
          java.append(String.format("    public static final int %s = 0x%08x;\n", field, number));
        });
    return java.append("  }\n}\n").toString();
  }

  private interface Each {
    void resource(int number, String type, String entry);
  }

  private void forEach(Each each) {
    int type = 0;
    for (Map.Entry<String, SortedSet<String>> ofType : names.entrySet()) {
      type++;
      int entry = 0;
      for (String of : ofType.getValue()) {
        each.resource(APP << 24 | type << 16 | entry++, ofType.getKey(), of);
      }
    }
  }

  /** What goes into the APK, by its path there. */
  SortedMap<String, byte[]> encode() throws IOException, XmlPullParserException {
    for (String id : names.getOrDefault("id", new TreeSet<>())) {
      block.getOrCreate("", "id", id).setValueAsBoolean(false);
    }
    SortedMap<String, Path> others = new TreeMap<>();
    for (Path file : files) {
      if (isOfValues(file)) {
        for (XMLElement value : values(file)) {
          XmlCoder.getInstance()
              .VALUES_XML
              .encodeEntry(value, block.getOrCreateTypeBlock(qualifiers(file), type(value)));
        }
      } else {
        String path = "res/" + folder(file) + "/" + file.getFileName();
        block.getOrCreate(qualifiers(file), type(file), simpleName(file)).setValueAsString(path);
        others.put(path, file);
      }
    }
    block.sortTypes();
    table.refreshFull();
    // Names in these files are looked up in the table, so it is complete before.
    SortedMap<String, byte[]> made = new TreeMap<>();
    made.put("resources.arsc", table.getBytes());
    made.put("AndroidManifest.xml", binary(manifest, new AndroidManifestBlock()));
    for (Map.Entry<String, Path> other : others.entrySet()) {
      Path file = other.getValue();
      byte[] bytes = isXml(file) ? binary(file, new ResXmlDocument()) : Files.readAllBytes(file);
      made.put(other.getKey(), bytes);
    }
    return made;
  }

  private byte[] binary(Path file, ResXmlDocument document)
      throws IOException, XmlPullParserException {
    document.setPackageBlock(block);
    document.parse(XMLFactory.newPullParser(file.toFile()));
    return document.getBytes();
  }

  private static List<XMLElement> values(Path file) throws IOException, XmlPullParserException {
    List<XMLElement> all = new ArrayList<>();
    Iterator<? extends XMLElement> elements =
        XMLDocument.load(file.toFile()).getDocumentElement().getElements();
    elements.forEachRemaining(all::add);
    return all;
  }

  private static boolean isOfValues(Path file) {
    return type(file).equals("values");
  }

  private static boolean isXml(Path file) {
    return file.toString().endsWith(".xml") && !type(file).equals("raw");
  }

  private static String type(XMLElement value) {
    return TYPES.getOrDefault(value.getName(), value.getName());
  }

  /** {@code layout} of {@code res/layout-land/row.xml}. */
  private static String type(Path file) {
    return folder(file).split("-", 2)[0];
  }

  /** {@code -land} of {@code res/layout-land/row.xml}. */
  private static String qualifiers(Path file) {
    return folder(file).substring(type(file).length());
  }

  private static String simpleName(Path file) {
    return file.getFileName().toString().split("\\.", 2)[0];
  }

  private static String folder(Path file) {
    return file.getParent().getFileName().toString();
  }
}
