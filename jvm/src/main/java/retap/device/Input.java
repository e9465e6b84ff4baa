package retap.device;

import android.os.SystemClock;
import android.view.InputDevice;
import android.view.InputEvent;
import android.view.KeyCharacterMap;
import android.view.KeyEvent;
import android.view.MotionEvent;
import android.view.View;
import android.view.ViewRootImpl;
import android.view.WindowManagerGlobal;
import java.util.List;

/** Fingers and keys: real input events, given to the window that they are for. */
final class Input {
  private static final long TAP_MS = 50;
  private static final long DOUBLE_TAP_MS = 80;
  private static final int STEP_MS = 16;
  private static final int LEAST_STEPS = 8;
  private static final float PINCH_PX = 600;

  private final Windows windows;
  private final Keyboard keyboard;

  Input(Windows windows, Keyboard keyboard) {
    this.windows = windows;
    this.keyboard = keyboard;
  }

  void tap(int x, int y) {
    hold(x, y, TAP_MS);
  }

  void doubleTap(int x, int y) {
    tap(x, y);
    Looping.pass(DOUBLE_TAP_MS);
    tap(x, y);
  }

  void hold(int x, int y, long millis) {
    swipe(x, y, x, y, millis);
  }

  void swipe(int x, int y, int toX, int toY, long millis) {
    // A dialog without a field is in front of the keyboard.
    boolean covered = windows.typedInto() != windows.focused();
    if (!covered && keyboard.frame().contains(x, y)) {
      if (keyboard.frame().contains(toX, toY)) {
        keyboard.tap(x, y);
      }
      Looping.pass(millis);
      return;
    }
    Windows.Win window = windows.touched(x, y);
    ViewRootImpl root = root(window);
    if (root == null) {
      return;
    }
    long down = SystemClock.uptimeMillis();
    touch(root, window, MotionEvent.ACTION_DOWN, down, x, y);
    boolean moves = x != toX || y != toY;
    // A quick one has fewer frames than a list needs to see a fling.
    long step = Math.max(1, Math.min(STEP_MS, millis / LEAST_STEPS));
    for (long passed = step; moves && passed < millis; passed += step) {
      Looping.pass(step);
      float share = (float) passed / millis;
      touch(
          root,
          window,
          MotionEvent.ACTION_MOVE,
          down,
          x + Math.round((toX - x) * share),
          y + Math.round((toY - y) * share));
    }
    Looping.pass(Math.max(0, down + millis - SystemClock.uptimeMillis()));
    touch(root, window, MotionEvent.ACTION_UP, down, toX, toY);
    Looping.idle();
  }

  private static void touch(
      ViewRootImpl root, Windows.Win window, int action, long down, int x, int y) {
    MotionEvent event =
        MotionEvent.obtain(
            down,
            SystemClock.uptimeMillis(),
            action,
            x - window.frame.left,
            y - window.frame.top,
            0);
    event.setSource(InputDevice.SOURCE_TOUCHSCREEN);
    enqueue(root, event);
  }

  /** Two fingers on a line through a place, that move apart or together. */
  void pinch(int x, int y, int percent, long millis) {
    Windows.Win window = windows.touched(x, y);
    ViewRootImpl root = root(window);
    if (root == null) {
      return;
    }
    float from = percent > 100 ? PINCH_PX * 100f / percent : PINCH_PX;
    float to = from * percent / 100f;
    long down = SystemClock.uptimeMillis();
    int second = MotionEvent.ACTION_POINTER_DOWN | 1 << MotionEvent.ACTION_POINTER_INDEX_SHIFT;
    int lifted = MotionEvent.ACTION_POINTER_UP | 1 << MotionEvent.ACTION_POINTER_INDEX_SHIFT;
    fingers(root, window, MotionEvent.ACTION_DOWN, down, x, y, from, 1);
    fingers(root, window, second, down, x, y, from, 2);
    for (long passed = STEP_MS; passed < millis; passed += STEP_MS) {
      Looping.pass(STEP_MS);
      float apart = from + (to - from) * passed / millis;
      fingers(root, window, MotionEvent.ACTION_MOVE, down, x, y, apart, 2);
    }
    fingers(root, window, lifted, down, x, y, to, 2);
    fingers(root, window, MotionEvent.ACTION_UP, down, x, y, to, 1);
    Looping.idle();
  }

  private static void fingers(
      ViewRootImpl root,
      Windows.Win window,
      int action,
      long down,
      int x,
      int y,
      float apart,
      int count) {
    MotionEvent.PointerProperties[] which = new MotionEvent.PointerProperties[count];
    MotionEvent.PointerCoords[] where = new MotionEvent.PointerCoords[count];
    for (int finger = 0; finger < count; finger++) {
      which[finger] = new MotionEvent.PointerProperties();
      which[finger].id = finger;
      which[finger].toolType = MotionEvent.TOOL_TYPE_FINGER;
      where[finger] = new MotionEvent.PointerCoords();
      where[finger].x = x - window.frame.left;
      where[finger].y = y - window.frame.top + (finger == 0 ? -apart : apart) / 2;
      where[finger].pressure = 1;
      where[finger].size = 1;
    }
    enqueue(
        root,
        MotionEvent.obtain(
            down,
            SystemClock.uptimeMillis(),
            action,
            count,
            which,
            where,
            0,
            0,
            1,
            1,
            0,
            0,
            InputDevice.SOURCE_TOUCHSCREEN,
            0));
  }

  /** Presses a key and lets go of it. */
  void key(int code) {
    long down = SystemClock.uptimeMillis();
    send(new KeyEvent(down, down, KeyEvent.ACTION_DOWN, code, 0, 0));
    Looping.idle();
    send(new KeyEvent(down, SystemClock.uptimeMillis(), KeyEvent.ACTION_UP, code, 0, 0));
    Looping.idle();
  }

  private void send(KeyEvent event) {
    KeyEvent whole =
        new KeyEvent(
            event.getDownTime(),
            event.getEventTime(),
            event.getAction(),
            event.getKeyCode(),
            0,
            0,
            KeyCharacterMap.VIRTUAL_KEYBOARD,
            0,
            KeyEvent.FLAG_FROM_SYSTEM,
            InputDevice.SOURCE_KEYBOARD);
    ViewRootImpl root = root(windows.focused());
    if (root != null) {
      enqueue(root, whole);
    }
  }

  private static void enqueue(ViewRootImpl root, InputEvent event) {
    Hidden.call(root, "enqueueInputEvent", event, null, 0, true);
  }

  /** The views of a window. */
  static View view(Windows.Win window) {
    ViewRootImpl root = root(window);
    return root == null ? null : root.getView();
  }

  static ViewRootImpl root(Windows.Win window) {
    if (window == null) {
      return null;
    }
    List<ViewRootImpl> roots = Hidden.get(WindowManagerGlobal.getInstance(), "mRoots");
    for (ViewRootImpl root : roots) {
      if (Hidden.get(root, "mWindow") == window.client) {
        return root;
      }
    }
    return null;
  }
}
