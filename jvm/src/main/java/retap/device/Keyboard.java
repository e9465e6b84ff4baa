package retap.device;

import android.graphics.Canvas;
import android.graphics.Rect;
import android.os.IBinder;
import android.os.ResultReceiver;
import android.text.InputType;
import android.view.KeyEvent;
import android.view.WindowManager.LayoutParams;
import android.view.inputmethod.EditorInfo;
import android.view.inputmethod.InputConnection;
import android.view.inputmethod.InputMethodInfo;
import android.view.inputmethod.InputMethodSubtype;
import com.android.internal.inputmethod.StartInputFlags;
import com.android.internal.view.IInputContext;
import com.android.internal.view.IInputMethodClient;
import com.android.internal.view.InputBindResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The soft keyboard: what {@code IInputMethodManager} answers. It comes when a field asks for it or
 * when its window does, takes the lower part of the screen, types what is tapped on it, and goes
 * with the back key.
 */
final class Keyboard {
  private static final int STATE = LayoutParams.SOFT_INPUT_MASK_STATE;

  private static final Set<Integer> NUMBERS =
      Set.of(
          InputType.TYPE_CLASS_NUMBER, InputType.TYPE_CLASS_PHONE, InputType.TYPE_CLASS_DATETIME);

  private final Screen screen;
  private final Windows windows;
  private final int heightDp;
  private boolean shown;
  private EditorInfo field;

  Keyboard(Screen screen, Windows windows, int heightDp) {
    this.heightDp = heightDp;
    this.screen = screen;
    this.windows = windows;
  }

  boolean isShown() {
    return shown;
  }

  /** The room that it takes; empty while it is hidden. */
  Rect frame() {
    int top = screen.height() - Math.min(screen.px(heightDp), screen.height() / 2);
    return shown ? new Rect(0, top, screen.width(), screen.height()) : new Rect();
  }

  void show() {
    set(true);
  }

  void hide() {
    set(false);
  }

  private void set(boolean now) {
    if (shown != now) {
      shown = now;
      windows.resize(AppProcess.configuration());
    }
  }

  // What the app's process calls.

  boolean showSoftInput(IInputMethodClient client, int flags, ResultReceiver receiver) {
    if (field != null) {
      show();
    }
    return field != null;
  }

  boolean hideSoftInput(IInputMethodClient client, int flags, ResultReceiver receiver) {
    boolean was = shown;
    hide();
    return was;
  }

  InputBindResult startInputOrWindowGainedFocus(
      int reason,
      IInputMethodClient client,
      IBinder window,
      int startFlags,
      int softInputMode,
      int windowFlags,
      EditorInfo attribute,
      IInputContext context,
      int missing,
      int targetSdk) {
    field = attribute != null && attribute.inputType != InputType.TYPE_NULL ? attribute : null;
    if (window != null) {
      boolean editor = (startFlags & StartInputFlags.IS_TEXT_EDITOR) != 0;
      gainedFocus(softInputMode, windowFlags, editor);
    }
    return new InputBindResult(
        InputBindResult.ResultCode.SUCCESS_WAITING_IME_SESSION, null, null, "retap", 1, null);
  }

  /** A window has got the focus: what it wants of the keyboard depends on how it was got to. */
  private void gainedFocus(int mode, int windowFlags, boolean editor) {
    boolean forward = (mode & LayoutParams.SOFT_INPUT_IS_FORWARD_NAVIGATION) != 0;
    int state = mode & STATE;
    if (state == LayoutParams.SOFT_INPUT_STATE_ALWAYS_VISIBLE
        || state == LayoutParams.SOFT_INPUT_STATE_VISIBLE && forward) {
      if (field != null) {
        show();
      }
    } else if (state == LayoutParams.SOFT_INPUT_STATE_ALWAYS_HIDDEN
        || state == LayoutParams.SOFT_INPUT_STATE_HIDDEN && forward) {
      hide();
    } else if (state == LayoutParams.SOFT_INPUT_STATE_UNSPECIFIED) {
      boolean resizes =
          (mode & LayoutParams.SOFT_INPUT_MASK_ADJUST) == LayoutParams.SOFT_INPUT_ADJUST_RESIZE;
      // A list that can be filtered takes text too, but is no editor.
      if (!editor || !resizes) {
        if (LayoutParams.mayUseInputMethod(windowFlags)) {
          hide();
        }
      } else if (forward) {
        show();
      }
    }
  }

  List<InputMethodInfo> getInputMethodList(int userId) {
    return new ArrayList<>();
  }

  List<InputMethodInfo> getEnabledInputMethodList(int userId) {
    return new ArrayList<>();
  }

  List<InputMethodSubtype> getEnabledInputMethodSubtypeList(String id, boolean implicit) {
    return new ArrayList<>();
  }

  int getInputMethodWindowVisibleHeight() {
    return frame().height();
  }

  // What a finger does with it.

  private KeyboardLayout layout() {
    int type = field == null ? 0 : field.inputType & InputType.TYPE_MASK_CLASS;
    return NUMBERS.contains(type) ? KeyboardLayout.NUMBERS : KeyboardLayout.LETTERS;
  }

  void draw(Canvas canvas) {
    if (shown) {
      layout().draw(canvas, frame(), screen.px(18));
    }
  }

  /** Types the key at a place. */
  void tap(int x, int y) {
    Rect frame = frame();
    String key =
        layout()
            .key(
                (float) (x - frame.left) / frame.width(), (float) (y - frame.top) / frame.height());
    InputConnection to = new Typing(windows).field();
    if (to != null && key != null) {
      press(key, to);
      Looping.idle();
    }
  }

  private void press(String key, InputConnection to) {
    switch (key) {
      case KeyboardLayout.DELETE -> {
        to.sendKeyEvent(new KeyEvent(KeyEvent.ACTION_DOWN, KeyEvent.KEYCODE_DEL));
        to.sendKeyEvent(new KeyEvent(KeyEvent.ACTION_UP, KeyEvent.KEYCODE_DEL));
      }
      case KeyboardLayout.ENTER -> enter(to);
      case KeyboardLayout.NOTHING -> {}
      default -> to.commitText(key, 1);
    }
  }

  private void enter(InputConnection to) {
    int action = field == null ? 0 : field.imeOptions & EditorInfo.IME_MASK_ACTION;
    boolean plain =
        field == null
            || (field.imeOptions & EditorInfo.IME_FLAG_NO_ENTER_ACTION) != 0
            || action == EditorInfo.IME_ACTION_NONE
            || action == EditorInfo.IME_ACTION_UNSPECIFIED;
    if (plain) {
      to.sendKeyEvent(new KeyEvent(KeyEvent.ACTION_DOWN, KeyEvent.KEYCODE_ENTER));
      to.sendKeyEvent(new KeyEvent(KeyEvent.ACTION_UP, KeyEvent.KEYCODE_ENTER));
    } else {
      to.performEditorAction(action);
    }
  }
}
