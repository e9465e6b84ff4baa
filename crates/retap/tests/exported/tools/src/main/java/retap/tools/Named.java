package retap.tools;

import android.view.View;
import org.hamcrest.Description;
import org.hamcrest.TypeSafeMatcher;

/** A matcher of Espresso, of one name. */
public final class Named extends TypeSafeMatcher<View> {
  public final String name;
  public final Object value;

  public Named(String name, Object value) {
    this.name = name;
    this.value = value;
  }

  @Override
  protected boolean matchesSafely(View view) {
    return value.equals(view.names.get(name));
  }

  @Override
  public void describeTo(Description description) {
    description.appendText(name);
  }
}
