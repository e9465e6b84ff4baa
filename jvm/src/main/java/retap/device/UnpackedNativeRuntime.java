package retap.device;

import android.text.Hyphenator;
import java.nio.file.Path;
import java.util.Locale;
import javax.annotation.Priority;
import org.robolectric.pluginapi.NativeRuntimeLoader;
import retap.host.Places;

/**
 * Android's native code, from where it was unpacked once. Robolectric's own loader unpacks 200 MB
 * into a temporary folder for every process.
 */
@Priority(1)
public final class UnpackedNativeRuntime implements NativeRuntimeLoader {
  private boolean loaded;

  @Override
  public synchronized void ensureLoaded() {
    if (loaded) {
      return;
    }
    loaded = true;
    Path files = Places.nativeFiles();
    System.setProperty("icu.data.path", files.resolve("icu/icudt68l.dat").toString());
    System.setProperty("icu.locale.default", Locale.getDefault().toLanguageTag());
    // Android expects the slash.
    System.setProperty("robolectric.nativeruntime.fontdir", files.resolve("fonts") + "/");
    System.load(files.resolve("native/linux/x86_64/librobolectric-nativeruntime.so").toString());
    System.setProperty("hyphen.data.dir", files.resolve("hyphen-data").toString());
    Hyphenator.init();
  }
}
