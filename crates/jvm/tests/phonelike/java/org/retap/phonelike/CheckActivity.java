package org.retap.phonelike;

import android.app.Activity;
import android.content.Intent;
import android.os.Bundle;
import android.view.View;
import android.widget.Button;
import android.widget.GridLayout;
import android.widget.LinearLayout;
import android.widget.TextView;
import java.io.IOException;
import java.io.InputStreamReader;

/** A button for each check, and a line for what came of it. */
public final class CheckActivity extends Activity {
  private LinearLayout column;
  private TextView result;
  private byte[] kept;

  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    column = new LinearLayout(this);
    column.setOrientation(LinearLayout.VERTICAL);
    result = new TextView(this);
    result.setContentDescription("result");
    column.addView(result);
    GridLayout buttons = new GridLayout(this);
    buttons.setColumnCount(6);
    for (Check check : Check.values()) {
      buttons.addView(button(check));
    }
    column.addView(buttons);
    setContentView(column);
    show("ready");
  }

  /** Saves this with its state. */
  void keep(byte[] bytes) {
    kept = bytes;
  }

  @Override
  protected void onSaveInstanceState(Bundle state) {
    super.onSaveInstanceState(state);
    state.putByteArray("kept", kept);
  }

  void show(String text) {
    result.setText(text);
  }

  @Override
  protected void onActivityResult(int request, int how, Intent data) {
    if (how != RESULT_OK) {
      show("nothing");
      return;
    }
    try {
      show(Check.firstLine(new InputStreamReader(getContentResolver().openInputStream(data.getData()))));
    } catch (IOException failure) {
      throw new IllegalStateException(failure);
    }
  }

  /** Puts a widget below the line. */
  void add(View view) {
    column.addView(view, 1);
  }

  private Button button(final Check check) {
    Button button = new Button(this);
    button.setAllCaps(false);
    button.setTextSize(8);
    button.setPadding(0, 0, 0, 0);
    button.setMinWidth(0);
    button.setMinimumWidth(0);
    button.setMinHeight(0);
    button.setMinimumHeight(0);
    button.setText(check.name());
    button.setOnClickListener(
        new View.OnClickListener() {
          @Override
          public void onClick(View view) {
            run(check);
          }
        });
    return button;
  }

  private void run(Check check) {
    try {
      String text = check.run(this);
      if (text != null) {
        show(text);
      }
    } catch (RuntimeException failure) {
      throw failure;
    } catch (Exception failure) {
      throw new IllegalStateException(check.name(), failure);
    }
  }
}
