package androidx.test.espresso;

import android.view.View;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hamcrest.Matcher;
import org.hamcrest.SelfDescribing;
import org.hamcrest.StringDescription;
import retap.tools.Named;

/** androidx.test.espresso 3.7.0, by its public API listing: the part that exported tests call. */
public final class ViewInteraction {
  private static final int VIEWS = 4;

  private final Matcher<View> matcher;

  ViewInteraction(Matcher<View> matcher) {
    this.matcher = matcher;
  }

  public ViewInteraction perform(ViewAction... viewActions) {
    Map<String, Object> find = new LinkedHashMap<>();
    find.put("names", names());
    find.put("fits", fits());
    for (ViewAction action : viewActions) {
      action.perform(null, new View(find));
    }
    return this;
  }

  /** What the matcher says that it looks for. */
  private Map<String, Object> names() {
    Map<String, Object> names = new LinkedHashMap<>();
    matcher.describeTo(
        new StringDescription() {
          @Override
          public StringDescription appendDescriptionOf(SelfDescribing value) {
            if (value instanceof Named named) {
              names.put(named.name, named.value);
            }
            value.describeTo(this);
            return this;
          }
        });
    if (matcher instanceof Named named) {
      names.put(named.name, named.value);
    }
    return names;
  }

  /**
   * Which of some views fit, on a screen with as many that have all the names, and as many that
   * differ in one of them: those are counted from 100.
   */
  private List<Integer> fits() {
    List<Integer> fits = new ArrayList<>();
    Map<String, Object> names = names();
    for (int number = 0; number < VIEWS; number++) {
      int other = 100 + number;
      for (String name : names.keySet()) {
        Map<String, Object> almost = new LinkedHashMap<>(names);
        almost.put(name, names.get(name) + "?");
        if (matcher.matches(new View(almost))) {
          fits.add(other);
        }
      }
      if (matcher.matches(new View(names))) {
        fits.add(number);
      }
    }
    return fits;
  }
}
