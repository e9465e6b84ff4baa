package retap.device;

import android.content.res.Configuration;
import android.graphics.Rect;
import android.os.RemoteException;
import android.util.MergedConfiguration;
import android.view.DisplayCutout;
import android.view.Gravity;
import android.view.IWindow;
import android.view.IWindowSession;
import android.view.InputChannel;
import android.view.InsetsState;
import android.view.SurfaceControl;
import android.view.View;
import android.view.WindowManager.LayoutParams;
import java.util.ArrayList;
import java.util.List;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowSurfaceControl;

/**
 * Windows: where each is, which has the focus, and which a finger touches. What {@code
 * IWindowSession} answers.
 */
final class Windows {
  private static final int ADD_OKAY = 0;
  private static final int IN_TOUCH_MODE = 1;
  private static final int APP_VISIBLE = 2;
  private static final int BAD_APP_TOKEN = -1;
  private static final int BAD_SUBWINDOW_TOKEN = -2;

  private final Screen screen;
  private final IWindowSession session;
  private final List<Win> windows = new ArrayList<>();
  private Win focused;

  static final class Win {
    final IWindow client;
    final LayoutParams attributes = new LayoutParams();
    final Rect frame = new Rect();
    final Rect content = new Rect();
    final Rect visible = new Rect();

    /** What it has measured itself to be; before that it may have all the room there is. */
    int requestedWidth = Integer.MAX_VALUE;

    int requestedHeight = Integer.MAX_VALUE;
    int visibility = View.VISIBLE;

    /** Whether it was drawn since it was last shown. */
    boolean drawn;

    Win(IWindow client) {
      this.client = client;
    }

    boolean isChild() {
      return attributes.type >= LayoutParams.FIRST_SUB_WINDOW
          && attributes.type <= LayoutParams.LAST_SUB_WINDOW;
    }

    boolean has(int flag) {
      return (attributes.flags & flag) != 0;
    }
  }

  Windows(Screen screen) {
    this.screen = screen;
    session = Remote.of(IWindowSession.class, this);
  }

  IWindowSession session() {
    return session;
  }

  /**
   * That of the tasks: they tell the windows when another activity comes to the front, and are
   * asked which activities can be seen. With a lock each, two threads could wait for each other.
   */
  private static Object lock() {
    return SystemServer.get().tasks();
  }

  // What the app calls.

  int addToDisplay(
      IWindow window,
      int seq,
      LayoutParams attributes,
      int visibility,
      int display,
      Rect frame,
      Rect contentInsets,
      Rect stableInsets,
      Rect outsets,
      DisplayCutout.ParcelableWrapper cutout,
      InputChannel channel,
      InsetsState insets) {
    synchronized (lock()) {
      Win added = new Win(window);
      added.attributes.copyFrom(attributes);
      added.visibility = visibility;
      int refused = refusal(added);
      if (refused != ADD_OKAY) {
        return refused;
      }
      windows.add(added);
      place(added);
      frame.set(added.frame);
      contentInsets.set(added.content);
      stableInsets.set(added.content);
      return ADD_OKAY | APP_VISIBLE | IN_TOUCH_MODE;
    }
  }

  /** Why a window is not shown: what it belongs to is gone, or never was. */
  private int refusal(Win added) {
    int type = added.attributes.type;
    if (added.isChild()) {
      Win parent = parent(added);
      return parent == null || parent.isChild() ? BAD_SUBWINDOW_TOKEN : ADD_OKAY;
    }
    boolean ofActivity =
        type >= LayoutParams.FIRST_APPLICATION_WINDOW
            && type <= LayoutParams.LAST_APPLICATION_WINDOW;
    return ofActivity && !SystemServer.get().tasks().isAlive(added.attributes.token)
        ? BAD_APP_TOKEN
        : ADD_OKAY;
  }

  int relayout(
      IWindow window,
      int seq,
      LayoutParams attributes,
      int width,
      int height,
      int visibility,
      int flags,
      long frameNumber,
      Rect frame,
      Rect overscan,
      Rect contentInsets,
      Rect visibleInsets,
      Rect stableInsets,
      Rect outsets,
      Rect backdrop,
      DisplayCutout.ParcelableWrapper cutout,
      MergedConfiguration configuration,
      SurfaceControl surface,
      InsetsState insets) {
    synchronized (lock()) {
      if (surface != null) {
        Hidden.call(Shadow.<ShadowSurfaceControl>extract(surface), "initializeNativeObject");
      }
      Win win = find(window);
      if (win == null) {
        return IN_TOUCH_MODE;
      }
      if (attributes != null) {
        win.attributes.copyFrom(attributes);
      }
      win.requestedWidth = width;
      win.requestedHeight = height;
      win.drawn &= win.visibility == visibility;
      win.visibility = visibility;
      place(win);
      frame.set(win.frame);
      contentInsets.set(win.content);
      visibleInsets.set(win.visible);
      stableInsets.set(0, win.content.top, 0, 0);
      changed();
      return IN_TOUCH_MODE;
    }
  }

  void remove(IWindow window) {
    synchronized (lock()) {
      Win win = find(window);
      if (win != null) {
        windows.remove(win);
        changed();
      }
    }
  }

  /** As the home key does: open menus close. */
  void closeMenus() {
    synchronized (lock()) {
      for (Win win : new ArrayList<>(windows)) {
        try {
          win.client.closeSystemDialogs("homekey");
        } catch (RemoteException never) {
          throw new IllegalStateException(never);
        }
      }
    }
  }

  boolean getInTouchMode() {
    return true;
  }

  // Where windows are.

  private void place(Win win) {
    LayoutParams attributes = win.attributes;
    Rect whole = screen.whole();
    boolean fullscreen = win.has(LayoutParams.FLAG_FULLSCREEN);
    int bar = fullscreen ? 0 : screen.statusBar();
    win.content.setEmpty();
    win.visible.setEmpty();
    int taken = taken(win);
    boolean resizes = adjusts(win) == LayoutParams.SOFT_INPUT_ADJUST_RESIZE;
    Rect container;
    if (win.isChild()) {
      Win parent = parent(win);
      container = parent == null ? whole : new Rect(parent.frame);
    } else if (win.has(LayoutParams.FLAG_LAYOUT_IN_SCREEN)) {
      container = whole;
      win.content.top = bar;
      win.visible.top = bar;
      win.content.bottom = resizes ? taken : 0;
      win.visible.bottom = taken;
    } else {
      container = new Rect(0, bar, whole.right, whole.bottom - (resizes ? taken : 0));
    }
    int width = size(attributes.width, win.requestedWidth, container.width());
    int height = size(attributes.height, win.requestedHeight, container.height());
    int gravity = attributes.gravity == 0 ? Gravity.CENTER : attributes.gravity;
    Gravity.apply(
        gravity,
        width,
        height,
        container,
        (int) (attributes.x + attributes.horizontalMargin * container.width()),
        (int) (attributes.y + attributes.verticalMargin * container.height()),
        win.frame);
    if (!win.has(LayoutParams.FLAG_LAYOUT_NO_LIMITS)) {
      Gravity.applyDisplay(gravity, whole, win.frame);
    }
  }

  /** What the keyboard takes of a window: it is there for the one that has the focus. */
  private int taken(Win win) {
    SystemServer server = SystemServer.get();
    boolean typed = win == typedInto() && adjusts(win) != LayoutParams.SOFT_INPUT_ADJUST_NOTHING;
    return server == null || !typed ? 0 : server.keyboard().frame().height();
  }

  private static int adjusts(Win win) {
    return win.attributes.softInputMode & LayoutParams.SOFT_INPUT_MASK_ADJUST;
  }

  private static int size(int wanted, int measured, int most) {
    if (wanted == LayoutParams.MATCH_PARENT) {
      return most;
    }
    return wanted > 0 ? wanted : Math.min(Math.max(measured, 0), most);
  }

  /** Every window is told where it is now: the screen was turned, or the keyboard came or went. */
  void resize(Configuration now) {
    synchronized (lock()) {
      MergedConfiguration configuration = new MergedConfiguration(now, now);
      for (Win win : new ArrayList<>(windows)) {
        place(win);
        try {
          win.client.resized(
              win.frame,
              new Rect(),
              win.content,
              win.visible,
              new Rect(0, win.content.top, 0, 0),
              new Rect(),
              false,
              configuration,
              win.frame,
              true,
              false,
              0,
              new DisplayCutout.ParcelableWrapper());
        } catch (RemoteException never) {
          throw new IllegalStateException(never);
        }
      }
    }
  }

  // Focus and order.

  /** Windows that can be seen, the lowest first. */
  List<Win> visible() {
    synchronized (lock()) {
      List<Win> seen = new ArrayList<>();
      for (ActivityRecord activity : SystemServer.get().tasks().visible()) {
        for (Win win : windows) {
          boolean own = !win.isChild() && win.attributes.token == activity.token;
          if (own && win.visibility == View.VISIBLE) {
            seen.add(win);
            addChildren(win, seen);
          }
        }
      }
      return seen;
    }
  }

  private void addChildren(Win parent, List<Win> seen) {
    for (Win win : windows) {
      if (win.isChild() && win.visibility == View.VISIBLE && parent(win) == parent) {
        seen.add(win);
        addChildren(win, seen);
      }
    }
  }

  private Win parent(Win child) {
    for (Win win : windows) {
      if (win != child && win.client.asBinder() == child.attributes.token) {
        return win;
      }
    }
    return null;
  }

  /** The window that keys go to; null when none is there. */
  Win focused() {
    synchronized (lock()) {
      List<Win> seen = visible();
      for (int at = seen.size() - 1; at >= 0; at--) {
        if (!seen.get(at).has(LayoutParams.FLAG_NOT_FOCUSABLE)) {
          return seen.get(at);
        }
      }
      return null;
    }
  }

  /** The window that the keyboard is for: the topmost that may use one. */
  Win typedInto() {
    synchronized (lock()) {
      List<Win> seen = visible();
      for (int at = seen.size() - 1; at >= 0; at--) {
        if (LayoutParams.mayUseInputMethod(seen.get(at).attributes.flags)
            && !seen.get(at).has(LayoutParams.FLAG_NOT_FOCUSABLE)) {
          return seen.get(at);
        }
      }
      return null;
    }
  }

  /** The window that a finger touches at a place. */
  Win touched(int x, int y) {
    synchronized (lock()) {
      List<Win> seen = visible();
      for (int at = seen.size() - 1; at >= 0; at--) {
        Win win = seen.get(at);
        boolean modal =
            !win.has(LayoutParams.FLAG_NOT_TOUCH_MODAL)
                && !win.has(LayoutParams.FLAG_NOT_FOCUSABLE);
        if (!win.has(LayoutParams.FLAG_NOT_TOUCHABLE) && (modal || win.frame.contains(x, y))) {
          return win;
        }
      }
      return null;
    }
  }

  /** Something has changed that may move the focus. */
  void changed() {
    synchronized (lock()) {
      Win now = focused();
      if (now == focused) {
        return;
      }
      Win before = focused;
      focused = now;
      try {
        if (before != null) {
          before.client.windowFocusChanged(false, true);
        }
        if (now != null) {
          now.client.windowFocusChanged(true, true);
        }
      } catch (RemoteException never) {
        throw new IllegalStateException(never);
      }
    }
  }

  private Win find(IWindow window) {
    for (Win win : windows) {
      if (win.client.asBinder() == window.asBinder()) {
        return win;
      }
    }
    return null;
  }
}
