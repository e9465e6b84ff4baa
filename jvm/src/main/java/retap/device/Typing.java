package retap.device;

import android.view.View;
import android.view.inputmethod.EditorInfo;
import android.view.inputmethod.InputConnection;

/** Text as an input method gives it to a field. */
final class Typing {
  private final Windows windows;

  Typing(Windows windows) {
    this.windows = windows;
  }

  /**
   * Puts text into the field that has the focus, in place of what stood there. Says whether there
   * is one.
   */
  boolean replace(String text) {
    InputConnection field = field();
    if (field == null) {
      return false;
    }
    field.performContextMenuAction(android.R.id.selectAll);
    field.commitText(text, 1);
    Looping.idle();
    return true;
  }

  /** The field that has the focus; null when none has. */
  InputConnection field() {
    View root = Input.view(windows.focused());
    View focus = root == null ? null : root.findFocus();
    return focus == null || !focus.onCheckIsTextEditor()
        ? null
        : focus.onCreateInputConnection(new EditorInfo());
  }
}
