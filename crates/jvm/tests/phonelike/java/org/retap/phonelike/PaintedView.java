package org.retap.phonelike;

import android.graphics.Canvas;
import android.view.accessibility.AccessibilityNodeInfo;
import android.widget.TextView;

/** Does things while it is drawn, or fails at it. */
final class PaintedView extends TextView {
  /** When it fails. */
  enum Fails {
    NEVER,
    WHEN_ASKED,
    WHEN_DRAWN,
    ON_A_PICTURE
  }

  private final CheckActivity activity;
  private final Fails fails;
  private int drawn;

  PaintedView(CheckActivity activity, Fails fails) {
    super(activity);
    this.activity = activity;
    this.fails = fails;
    setText("painted");
  }

  @Override
  public void onInitializeAccessibilityNodeInfo(AccessibilityNodeInfo info) {
    super.onInitializeAccessibilityNodeInfo(info);
    if (fails == Fails.WHEN_ASKED) {
      throw new IllegalStateException("it does not tell");
    }
  }

  @Override
  protected void onDraw(Canvas canvas) {
    super.onDraw(canvas);
    boolean screen = canvas.isHardwareAccelerated();
    if (fails == Fails.WHEN_DRAWN || fails == Fails.ON_A_PICTURE && !screen) {
      throw new IllegalStateException("it does not draw");
    }
    if (!screen || fails != Fails.NEVER) {
      return;
    }
    drawn++;
    invalidate();
    post(
        new Runnable() {
          @Override
          public void run() {
            activity.show("drawn " + drawn);
          }
        });
  }
}
