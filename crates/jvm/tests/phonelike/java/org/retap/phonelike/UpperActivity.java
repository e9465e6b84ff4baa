package org.retap.phonelike;

import android.app.Activity;
import android.content.Intent;
import android.os.Bundle;
import android.view.View;
import android.widget.Button;
import android.widget.LinearLayout;

/** An activity above the first one, with four ways back. */
public final class UpperActivity extends Activity {
  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    LinearLayout column = new LinearLayout(this);
    column.addView(
        button(
            "back to the root",
            new View.OnClickListener() {
              @Override
              public void onClick(View view) {
                Intent root = new Intent(UpperActivity.this, CheckActivity.class);
                startActivity(root.addFlags(Intent.FLAG_ACTIVITY_CLEAR_TOP));
              }
            }));
    column.addView(
        button(
            "up to nobody",
            new View.OnClickListener() {
              @Override
              public void onClick(View view) {
                navigateUpTo(new Intent(UpperActivity.this, FocusActivity.class));
              }
            }));
    column.addView(
        button(
            "back now",
            new View.OnClickListener() {
              @Override
              public void onClick(View view) {
                finish();
              }
            }));
    column.addView(
        button(
            "back soon",
            new View.OnClickListener() {
              @Override
              public void onClick(View view) {
                view.postDelayed(
                    new Runnable() {
                      @Override
                      public void run() {
                        finish();
                      }
                    },
                    100);
              }
            }));
    column.setOrientation(LinearLayout.VERTICAL);
    setContentView(column);
  }

  private Button button(String text, View.OnClickListener listener) {
    Button button = new Button(this);
    button.setAllCaps(false);
    button.setText(text);
    button.setOnClickListener(listener);
    return button;
  }
}
