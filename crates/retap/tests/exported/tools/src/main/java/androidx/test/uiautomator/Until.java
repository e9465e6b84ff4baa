package androidx.test.uiautomator;

/**
 * androidx.test.uiautomator 2.3.0, by its public API listing: the part that exported tests call.
 */
public class Until {
  private Until() {}

  public static SearchCondition<Boolean> hasObject(BySelector selector) {
    return new SearchCondition<>() {
      @Override
      public Boolean apply(Searchable container) {
        return !selector.names.isEmpty();
      }
    };
  }
}
