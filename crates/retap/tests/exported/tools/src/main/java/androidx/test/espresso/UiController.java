package androidx.test.espresso;

/** androidx.test.espresso 3.7.0: nothing of it is called. */
public interface UiController {}
