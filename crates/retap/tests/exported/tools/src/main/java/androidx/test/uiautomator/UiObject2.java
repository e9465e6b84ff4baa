package androidx.test.uiautomator;

import java.util.Map;
import retap.tools.Phone;

/**
 * androidx.test.uiautomator 2.3.0, by its public API listing: the part that exported tests call.
 */
public class UiObject2 implements Searchable {
  private final Map<String, Object> names;
  private final int index;

  UiObject2(Map<String, Object> names, int index) {
    this.names = names;
    this.index = index;
  }

  public void click() {
    Phone.did("tap", "find", names, "index", index);
  }

  public void click(long duration) {
    Phone.did("long_tap", "find", names, "index", index, "ms", duration);
  }

  public void longClick() {
    Phone.did("long_tap", "find", names, "index", index);
  }

  public void pinchClose(float percent) {
    Phone.did("pinch_close", "find", names, "index", index);
  }

  public void pinchOpen(float percent) {
    Phone.did("pinch_open", "find", names, "index", index);
  }

  public String getText() {
    return "";
  }

  public void setText(String text) {
    Phone.did("text", "find", names, "index", index, "text", text);
  }
}
