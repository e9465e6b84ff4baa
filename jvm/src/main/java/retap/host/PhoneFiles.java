package retap.host;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;

/**
 * What files tell of the phone that they are on: when they were written, on the device's clock, and
 * how full it is.
 *
 * <p>This computer writes its own time to a file of the app. It is replaced by the device's when
 * the app asks for it, and from then on after each event; what the app has set itself stays. The
 * folder is emptied at each fresh start, so a time that is later than that is this computer's, and
 * all others are the device's.
 */
public final class PhoneFiles {
  /** This computer's time of files may be a little behind its clock. */
  private static final long BEHIND_MS = 2_000;

  /** The blocks of the phone's storage. */
  public static final int BLOCK = 4_096;

  public static final long BLOCKS = 2_621_440;
  public static final long FREE_BLOCKS = 1_572_864;

  /** The folder that the app writes to. */
  private static volatile Path data = Path.of("/nowhere");

  /** This computer's time when the folder was emptied. */
  private static volatile long since = Long.MAX_VALUE;

  /** Whether the app has asked for the time of a file. */
  private static volatile boolean asked;

  private PhoneFiles() {}

  /** The app's folder is about to be emptied. */
  public static void begin(Path folder) {
    data = folder.toAbsolutePath().normalize();
    since = System.currentTimeMillis() - BEHIND_MS;
    asked = false;
  }

  /** An event is over: what was written in it is older than what will be. */
  public static void date() {
    if (asked) {
      List<Path> all;
      try (Stream<Path> found = Files.walk(data)) {
        all = found.toList();
      } catch (IOException | UncheckedIOException gone) {
        // Another thread of the app has removed what was looked at.
        return;
      }
      all.forEach(path -> lastModified(path.toFile()));
    }
  }

  /** As {@link File#lastModified}. */
  public static long lastModified(File file) {
    asked = true;
    long written = file.lastModified();
    if (written == 0) {
      return 0;
    }
    if (!file.toPath().toAbsolutePath().normalize().startsWith(data)) {
      // It is part of the phone, and as old as that.
      return Calls.EPOCH;
    }
    if (written < since || Threads.isGone(Thread.currentThread())) {
      return written;
    }
    long now = Calls.deviceTimeMillis();
    return file.setLastModified(now) ? now : Calls.EPOCH;
  }

  /** As {@link Files#getLastModifiedTime}. */
  public static FileTime getLastModifiedTime(Path path, LinkOption... options) throws IOException {
    FileTime written = Files.getLastModifiedTime(path, options);
    return path.getFileSystem() == data.getFileSystem()
        ? FileTime.fromMillis(lastModified(path.toFile()))
        : written;
  }

  /** As {@link File#getTotalSpace}. */
  public static long getTotalSpace(File file) {
    return file.exists() ? BLOCKS * BLOCK : 0;
  }

  /** As {@link File#getFreeSpace}. */
  public static long getFreeSpace(File file) {
    return file.exists() ? FREE_BLOCKS * BLOCK : 0;
  }

  /** As {@link File#getUsableSpace}. */
  public static long getUsableSpace(File file) {
    return getFreeSpace(file);
  }
}
