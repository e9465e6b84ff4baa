package androidx.test.espresso;

import android.view.View;
import org.hamcrest.Matcher;

/** androidx.test.espresso 3.7.0, by its public API listing. */
public interface ViewAction {
  Matcher<View> getConstraints();

  String getDescription();

  void perform(UiController uiController, View view);
}
