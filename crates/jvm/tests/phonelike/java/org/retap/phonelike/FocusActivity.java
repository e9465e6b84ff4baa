package org.retap.phonelike;

import android.app.Activity;
import android.os.Bundle;
import android.view.View;
import android.widget.ArrayAdapter;
import android.widget.EditText;
import android.widget.ListView;

/** A list that can be filtered by typing, or a field, and nothing else that could have the focus. */
public final class FocusActivity extends Activity {
  static final String FIELD = "field";

  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    View shown = getIntent().getBooleanExtra(FIELD, false) ? new EditText(this) : list();
    setContentView(shown);
    shown.requestFocus();
  }

  private ListView list() {
    ListView list = new ListView(this);
    list.setTextFilterEnabled(true);
    String[] lines = {"one", "two", "three"};
    list.setAdapter(
        new ArrayAdapter<String>(this, android.R.layout.simple_list_item_1, lines));
    return list;
  }
}
