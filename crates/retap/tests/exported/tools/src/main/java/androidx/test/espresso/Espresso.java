package androidx.test.espresso;

import android.view.View;
import org.hamcrest.Matcher;
import retap.tools.Phone;

/** androidx.test.espresso 3.7.0, by its public API listing: the part that exported tests call. */
public final class Espresso {
  private Espresso() {}

  public static void onIdle() {}

  public static ViewInteraction onView(Matcher<View> viewMatcher) {
    return new ViewInteraction(viewMatcher);
  }

  public static void pressBackUnconditionally() {
    Phone.did("key", "code", 4);
  }
}
