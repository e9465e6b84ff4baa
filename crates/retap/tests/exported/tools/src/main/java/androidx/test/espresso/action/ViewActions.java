package androidx.test.espresso.action;

import android.view.View;
import androidx.test.espresso.UiController;
import androidx.test.espresso.ViewAction;
import org.hamcrest.Matcher;
import org.hamcrest.Matchers;
import retap.tools.Phone;

/** androidx.test.espresso 3.7.0, by its public API listing: the part that exported tests call. */
public final class ViewActions {
  private ViewActions() {}

  public static ViewAction click() {
    return new Recorded("tap");
  }

  public static ViewAction doubleClick() {
    return new Recorded("double_tap");
  }

  public static ViewAction longClick() {
    return new Recorded("long_tap");
  }

  public static ViewAction pressKey(int keyCode) {
    return new Recorded("key", "code", keyCode);
  }

  public static ViewAction replaceText(String stringToBeSet) {
    return new Recorded("text", "text", stringToBeSet);
  }

  private record Recorded(String what, Object... more) implements ViewAction {
    @Override
    public Matcher<View> getConstraints() {
      return Matchers.any(View.class);
    }

    @Override
    public String getDescription() {
      return what;
    }

    @Override
    public void perform(UiController uiController, View view) {
      Object[] all = new Object[more.length + 4];
      System.arraycopy(more, 0, all, 4, more.length);
      all[0] = "find";
      all[1] = view.names.get("names");
      all[2] = "fits";
      all[3] = view.names.get("fits");
      Phone.did(what, all);
    }
  }
}
