package retap.device;

import android.app.Activity;
import android.content.Intent;
import android.content.pm.PackageManager;
import android.os.Bundle;
import android.view.View;
import android.widget.Button;
import android.widget.LinearLayout;
import android.widget.TextView;
import java.util.ArrayDeque;
import java.util.Deque;

/** Asks the user for permissions, one after the other, as the system does. */
public final class PermissionActivity extends Activity {
  static final String PACKAGE = "com.android.packageinstaller";
  static final String NAME = PACKAGE + ".permission.ui.GrantPermissionsActivity";

  private final Deque<String> open = new ArrayDeque<>();
  private String[] asked = {};

  @Override
  protected void onCreate(Bundle saved) {
    super.onCreate(saved);
    setFinishOnTouchOutside(false);
    String[] names =
        getIntent().getStringArrayExtra(PackageManager.EXTRA_REQUEST_PERMISSIONS_NAMES);
    asked = names == null ? new String[0] : names;
    Permissions permissions = SystemServer.get().permissions();
    for (String name : asked) {
      if (permissions.isOpen(name)) {
        open.add(name);
      }
    }
    next();
  }

  private void next() {
    if (open.isEmpty()) {
      answer();
      return;
    }
    String name = open.peek();
    LinearLayout all = new LinearLayout(this);
    all.setOrientation(LinearLayout.VERTICAL);
    TextView question = new TextView(this);
    question.setText(
        "Allow " + getApplicationInfo().packageName + " to use "
            + name.substring(name.lastIndexOf('.') + 1) + "?");
    question.setTag(new ForeignId(PACKAGE + ":id/permission_message"));
    all.addView(question);
    LinearLayout buttons = new LinearLayout(this);
    buttons.addView(button("DENY", "permission_deny_button", false));
    buttons.addView(button("ALLOW", "permission_allow_button", true));
    all.addView(buttons);
    setContentView(all);
  }

  private Button button(String label, String id, boolean grants) {
    Button button = new Button(this);
    button.setText(label);
    button.setTag(new ForeignId(PACKAGE + ":id/" + id));
    button.setOnClickListener((View pressed) -> decide(grants));
    return button;
  }

  private void decide(boolean grants) {
    String name = open.poll();
    if (grants && name != null) {
      SystemServer.get().permissions().grant(name);
    }
    next();
  }

  @Override
  public void onBackPressed() {
    decide(false);
  }

  private void answer() {
    int[] results = new int[asked.length];
    for (int at = 0; at < asked.length; at++) {
      results[at] = SystemServer.get().permissions().check(asked[at]);
    }
    setResult(
        RESULT_OK,
        new Intent(PackageManager.ACTION_REQUEST_PERMISSIONS)
            .putExtra(PackageManager.EXTRA_REQUEST_PERMISSIONS_NAMES, asked)
            .putExtra(PackageManager.EXTRA_REQUEST_PERMISSIONS_RESULTS, results));
    finish();
  }
}
