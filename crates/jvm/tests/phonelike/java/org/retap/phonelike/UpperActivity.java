package org.retap.phonelike;

import android.app.Activity;
import android.content.Intent;
import android.os.Bundle;
import android.view.View;
import android.widget.Button;

/** An activity above the first one, with a way back that clears what is above it. */
public final class UpperActivity extends Activity {
  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    Button button = new Button(this);
    button.setAllCaps(false);
    button.setText("back to the root");
    button.setOnClickListener(
        new View.OnClickListener() {
          @Override
          public void onClick(View view) {
            Intent root = new Intent(UpperActivity.this, CheckActivity.class);
            startActivity(root.addFlags(Intent.FLAG_ACTIVITY_CLEAR_TOP));
          }
        });
    setContentView(button);
  }
}
