package retap.device;

import android.app.Activity;
import android.os.Bundle;
import android.widget.TextView;

/** Stands in for an activity of another app: it shows whose it is, and ends without a result. */
public final class ForeignActivity extends Activity {
  static final String NAME = "retap.foreign";

  @Override
  protected void onCreate(Bundle saved) {
    super.onCreate(saved);
    TextView text = new TextView(this);
    text.setText(getIntent().getStringExtra(NAME));
    setContentView(text);
  }
}
