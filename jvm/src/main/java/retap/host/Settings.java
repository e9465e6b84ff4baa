package retap.host;

import java.nio.file.Path;

/** How the device was opened. */
public record Settings(
    Path apk,
    Path classes,
    Path data,
    int api,
    String screen,
    boolean holo,
    int keyboardDp,
    boolean wild) {}
