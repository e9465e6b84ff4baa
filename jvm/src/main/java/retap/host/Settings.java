package retap.host;

import java.nio.file.Path;

/**
 * How the device was opened.
 *
 * @param compat the version of Android whose ways the app meets where they are known to differ; 0
 *     for those of {@code api}
 * @param installed other apps, in JSON, beside those that every phone has
 * @param stay other apps are not started, as where the Monkey is told to keep to one package
 */
public record Settings(
    Path apk,
    Path classes,
    Path data,
    int api,
    String screen,
    int compat,
    int keyboardDp,
    String installed,
    boolean stay,
    boolean wild) {}
