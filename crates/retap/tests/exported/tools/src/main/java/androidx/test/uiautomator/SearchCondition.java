package androidx.test.uiautomator;

/** androidx.test.uiautomator 2.3.0, by its public API listing. */
public abstract class SearchCondition<U> implements Condition<Searchable, U> {}
