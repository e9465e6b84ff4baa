package org.retap.pantry;

import android.os.Bundle;
import android.preference.PreferenceActivity;

/** How the list is shown. */
public final class SettingsActivity extends PreferenceActivity {
  @Override
  @SuppressWarnings("deprecation")
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    addPreferencesFromResource(R.xml.preferences);
  }
}
