package androidx.test.espresso.matcher;

import android.content.res.Resources;
import android.view.View;
import org.hamcrest.Matcher;
import retap.tools.Named;

/** androidx.test.espresso 3.7.0, by its public API listing: the part that exported tests call. */
public final class ViewMatchers {
  private ViewMatchers() {}

  public static Matcher<View> hasFocus() {
    return new Named("focused", true);
  }

  public static Matcher<View> isRoot() {
    return new Named("root", true);
  }

  public static Matcher<View> withContentDescription(int resourceId) {
    throw new UnsupportedOperationException();
  }

  public static Matcher<View> withContentDescription(String text) {
    return new Named("desc", text);
  }

  public static Matcher<View> withHint(int resourceId) {
    throw new UnsupportedOperationException();
  }

  public static Matcher<View> withHint(String hintText) {
    return new Named("hint", hintText);
  }

  public static Matcher<View> withId(int id) {
    return new Named("id", Resources.name(id));
  }

  public static Matcher<View> withText(int resourceId) {
    throw new UnsupportedOperationException();
  }

  public static Matcher<View> withText(String text) {
    return new Named("text", text);
  }
}
