package retap.device;

import android.os.Environment;
import android.os.UserHandle;
import android.os.storage.StorageVolume;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;

/** The card: the one volume that Android's own code builds all the other places from. */
public final class Card {
  private final File folder;

  /** Below the folder of the phone's data. */
  Card(Path data) throws IOException {
    folder = Files.createDirectories(data.resolve("media/0")).toFile();
  }

  private StorageVolume volume() {
    return new StorageVolume(
        "emulated;0",
        folder,
        folder,
        "Internal shared storage",
        true,
        false,
        true,
        false,
        0,
        UserHandle.of(UserHandle.USER_SYSTEM),
        null,
        Environment.MEDIA_MOUNTED);
  }

  @Implements(className = "android.os.Environment")
  public static class PlainEnvironment {}

  @Implements(className = "android.os.Environment$UserEnvironment")
  public static class PlainUserEnvironment {}

  @Implements(className = "android.os.storage.StorageManager")
  public static class Manager {
    @Implementation
    protected static StorageVolume[] getVolumeList(int user, int flags) {
      return new StorageVolume[] {SystemServer.get().card().volume()};
    }
  }
}
