package androidx.test.uiautomator;

/** androidx.test.uiautomator 2.3.0, by its public API listing. */
public interface Condition<T, U> {
  U apply(T object);
}
