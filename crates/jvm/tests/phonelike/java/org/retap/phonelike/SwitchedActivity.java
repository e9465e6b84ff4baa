package org.retap.phonelike;

import android.app.Activity;

/** It cannot be started until the app says so. */
public final class SwitchedActivity extends Activity {}
