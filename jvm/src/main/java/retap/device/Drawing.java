package retap.device;

import android.graphics.Picture;
import android.graphics.Rect;
import android.os.SystemClock;
import android.view.ThreadedRenderer;
import android.view.View;
import android.view.ViewRootImpl;
import android.view.ViewTreeObserver;

/**
 * Draws what has changed in the windows, for what the app does while it is drawn. Nobody looks at
 * the result: Android's own drawing ends where there is no surface.
 */
final class Drawing {
  private final Windows windows;

  Drawing(Windows windows) {
    this.windows = windows;
  }

  /** Draws every window that has to be drawn. Says whether there was one. */
  boolean draw() {
    boolean drawn = false;
    for (Windows.Win window : windows.visible()) {
      ViewRootImpl root = Input.root(window);
      if (root != null && isDue(window, root)) {
        window.drawn = true;
        draw(root);
        drawn = true;
      }
    }
    return drawn;
  }

  /** A window that is not laid out yet is drawn after that, as in any frame. */
  private static boolean isDue(Windows.Win window, ViewRootImpl root) {
    boolean laidOut = !Hidden.<Boolean>get(root, "mFirst") && !root.isLayoutRequested();
    Rect dirty = Hidden.get(root, "mDirty");
    return laidOut && root.getView() != null && (!window.drawn || !dirty.isEmpty());
  }

  /** What {@code ViewRootImpl.draw} does, as far as the app has a part in it. */
  private static void draw(ViewRootImpl root) {
    View view = root.getView();
    Object attached = Hidden.get(root, "mAttachInfo");
    ViewTreeObserver observer = view.getViewTreeObserver();
    if (Hidden.<Boolean>get(attached, "mViewScrollChanged")) {
      Hidden.set(attached, "mViewScrollChanged", false);
      Hidden.call(observer, "dispatchOnScrollChanged");
    }
    observer.dispatchOnDraw();
    // What is changed from here on is drawn next time.
    Hidden.<Rect>get(root, "mDirty").setEmpty();
    Hidden.set(root, "mIsAnimating", false);
    Hidden.set(attached, "mDrawingTime", SystemClock.uptimeMillis());
    ThreadedRenderer renderer = Hidden.get(attached, "mThreadedRenderer");
    if (renderer != null) {
      // Only the views that have changed, each into a list of its own, as on a phone.
      Hidden.call(renderer, "updateViewTreeDisplayList", view);
    } else {
      Picture picture = new Picture();
      view.draw(picture.beginRecording(view.getWidth(), view.getHeight()));
      picture.endRecording();
    }
  }
}
