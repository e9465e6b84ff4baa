package androidx.test.uiautomator;

/** androidx.test.uiautomator 2.3.0: what a SearchCondition is asked of. */
interface Searchable {}
