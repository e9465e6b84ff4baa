package retap.host;

import java.net.URISyntaxException;
import java.nio.file.Path;

/** Where the parts of this program are. */
public final class Places {
  private Places() {}

  /**
   * The folder beside this program with Android's native code, its fonts and its tables of
   * languages.
   */
  public static Path nativeFiles() {
    try {
      Path program =
          Path.of(Places.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      return program.resolveSibling("native").toAbsolutePath();
    } catch (URISyntaxException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
