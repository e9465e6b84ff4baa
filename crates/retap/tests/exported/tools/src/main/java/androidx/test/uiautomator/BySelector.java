package androidx.test.uiautomator;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * androidx.test.uiautomator 2.3.0, by its public API listing: the part that exported tests call.
 */
public class BySelector {
  final Map<String, Object> names = new LinkedHashMap<>();

  BySelector() {}

  private BySelector with(String name, Object value) {
    if (names.put(name, value) != null) {
      throw new IllegalStateException(name + " is already defined");
    }
    return this;
  }

  public BySelector depth(int exactDepth) {
    return with("depth", exactDepth);
  }

  public BySelector desc(String contentDescription) {
    return with("desc", contentDescription);
  }

  public BySelector focused(boolean isFocused) {
    return with("focused", isFocused);
  }

  public BySelector hint(String hint) {
    return with("hint", hint);
  }

  public BySelector pkg(String applicationPackage) {
    return with("pkg", applicationPackage);
  }

  public BySelector res(String resourceName) {
    return with("id", resourceName);
  }

  public BySelector text(String textValue) {
    return with("text", textValue);
  }
}
