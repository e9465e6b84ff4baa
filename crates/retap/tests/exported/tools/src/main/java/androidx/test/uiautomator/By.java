package androidx.test.uiautomator;

/**
 * androidx.test.uiautomator 2.3.0, by its public API listing: the part that exported tests call.
 */
public class By {
  private By() {}

  public static BySelector depth(int depth) {
    return new BySelector().depth(depth);
  }

  public static BySelector desc(String contentDescription) {
    return new BySelector().desc(contentDescription);
  }

  public static BySelector focused(boolean isFocused) {
    return new BySelector().focused(isFocused);
  }

  public static BySelector hint(String hint) {
    return new BySelector().hint(hint);
  }

  public static BySelector pkg(String applicationPackage) {
    return new BySelector().pkg(applicationPackage);
  }

  public static BySelector res(String resourceName) {
    return new BySelector().res(resourceName);
  }

  public static BySelector text(String text) {
    return new BySelector().text(text);
  }
}
