package android.view;

import java.util.Map;

/** Android, API 35: nothing of it is called. */
public class View {
  /** Not Android's: what matchers look at. */
  public final Map<String, Object> names;

  public View(Map<String, Object> names) {
    this.names = names;
  }
}
