package org.retap.hostile;

import android.app.Activity;
import android.os.Bundle;
import android.view.View;
import android.view.ViewGroup;
import android.widget.Button;
import android.widget.EditText;
import android.widget.LinearLayout;
import android.widget.TextView;

/** A button for each attack, a field for what an attack is to be told, and a line for what came of it. */
public final class AttackActivity extends Activity {
  private static final int IN_A_ROW = 4;

  private TextView result;
  private EditText input;

  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    LinearLayout column = new LinearLayout(this);
    column.setOrientation(LinearLayout.VERTICAL);
    result = new TextView(this);
    result.setContentDescription("result");
    result.setText("ready");
    result.setMaxLines(2);
    column.addView(result);
    input = new EditText(this);
    input.setHint("input");
    input.setMaxLines(1);
    column.addView(input);
    LinearLayout row = null;
    for (Attack attack : Attack.values()) {
      if (attack.ordinal() % IN_A_ROW == 0) {
        row = new LinearLayout(this);
        column.addView(row);
      }
      row.addView(button(attack), width());
    }
    setContentView(column);
  }

  private static LinearLayout.LayoutParams width() {
    return new LinearLayout.LayoutParams(0, ViewGroup.LayoutParams.WRAP_CONTENT, 1);
  }

  private Button button(final Attack attack) {
    Button button = new Button(this);
    button.setAllCaps(false);
    button.setTextSize(9);
    button.setMinHeight(0);
    button.setMinimumHeight(0);
    button.setText(attack.name());
    button.setOnClickListener(
        new View.OnClickListener() {
          @Override
          public void onClick(View view) {
            run(attack);
          }
        });
    return button;
  }

  private void run(Attack attack) {
    try {
      result.setText(attack.run(this, input.getText().toString()));
    } catch (Exception failure) {
      throw new IllegalStateException(attack.name(), failure);
    }
  }
}
