package org.retap.phonelike;

import android.app.AlertDialog;
import android.content.Context;
import android.os.Handler;
import android.view.Gravity;
import android.view.View;
import android.widget.Button;
import android.widget.PopupMenu;
import android.widget.PopupWindow;
import android.widget.TextView;

/** Windows of what is there, and of what is gone or never was. */
final class Windows {
  private Windows() {}

  /** As after a download: the activity has been left meanwhile. */
  static void showLate(final CheckActivity activity) {
    activity.finish();
    new Handler()
        .postDelayed(
            new Runnable() {
              @Override
              public void run() {
                showOf(activity);
              }
            },
            1_000);
  }

  static void showOf(Context context) {
    new AlertDialog.Builder(context).setMessage("late").show();
  }

  /** What it is to be shown at is in no window. */
  static void showPopup(Context context) {
    PopupWindow popup = new PopupWindow(new TextView(context), 100, 100);
    popup.showAtLocation(new View(context), Gravity.CENTER, 0, 0);
  }

  static void showWithMenu(final CheckActivity activity) {
    final Button button = new Button(activity);
    button.setAllCaps(false);
    button.setText("menu");
    button.setOnClickListener(
        new View.OnClickListener() {
          @Override
          public void onClick(View view) {
            PopupMenu menu = new PopupMenu(activity, button);
            menu.getMenu().add("line");
            menu.show();
          }
        });
    new AlertDialog.Builder(activity).setView(button).show();
  }
}
