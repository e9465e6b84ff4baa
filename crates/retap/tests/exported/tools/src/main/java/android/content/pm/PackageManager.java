package android.content.pm;

import android.content.Intent;

/** Android, API 35: the part that exported tests call. */
public class PackageManager {
  public Intent getLaunchIntentForPackage(String packageName) {
    return new Intent(packageName);
  }
}
