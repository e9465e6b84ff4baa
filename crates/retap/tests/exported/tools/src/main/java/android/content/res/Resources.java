package android.content.res;

import java.util.ArrayList;
import java.util.List;

/** Android, API 35: the part that exported tests call. Every name is one of a resource. */
public class Resources {
  private static final List<String> NAMES = new ArrayList<>();

  public int getIdentifier(String name, String defType, String defPackage) {
    if (!NAMES.contains(name)) {
      NAMES.add(name);
    }
    return NAMES.indexOf(name);
  }

  /** Not Android's: the name of an identifier. */
  public static String name(int id) {
    return NAMES.get(id);
  }
}
