package android.content;

import android.content.pm.PackageManager;
import android.content.res.Resources;
import retap.tools.Phone;

/** Android, API 35: the part that exported tests call. */
public class Context {
  public PackageManager getPackageManager() {
    return new PackageManager();
  }

  public String getPackageName() {
    return "the.app";
  }

  public Resources getResources() {
    return new Resources();
  }

  public void startActivity(Intent intent) {
    Phone.did("launch", "package", intent.launched);
  }
}
