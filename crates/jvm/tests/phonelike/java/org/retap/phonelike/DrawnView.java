package org.retap.phonelike;

import android.content.Context;
import android.graphics.Rect;
import android.os.Bundle;
import android.view.View;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityNodeProvider;

/** It draws two words itself, and tells screen readers of them; one of them is not to be seen. */
final class DrawnView extends View {
  private static final String[] WORDS = {"drawn", "unseen"};

  DrawnView(Context context) {
    super(context);
    setMinimumHeight(60);
  }

  @Override
  public AccessibilityNodeProvider getAccessibilityNodeProvider() {
    return new AccessibilityNodeProvider() {
      @Override
      public AccessibilityNodeInfo createAccessibilityNodeInfo(int id) {
        return id == HOST_VIEW_ID ? host() : word(id);
      }

      @Override
      public boolean performAction(int id, int action, Bundle arguments) {
        return false;
      }
    };
  }

  private AccessibilityNodeInfo host() {
    AccessibilityNodeInfo info = AccessibilityNodeInfo.obtain(this);
    onInitializeAccessibilityNodeInfo(info);
    for (int id = 0; id < WORDS.length; id++) {
      info.addChild(this, id);
    }
    return info;
  }

  private AccessibilityNodeInfo word(int id) {
    AccessibilityNodeInfo info = AccessibilityNodeInfo.obtain(this, id);
    int[] at = new int[2];
    getLocationOnScreen(at);
    int left = at[0] + id * 100;
    info.setText(WORDS[id]);
    info.setClickable(true);
    info.setVisibleToUser(id == 0);
    info.setBoundsInScreen(new Rect(left, at[1], left + 100, at[1] + getHeight()));
    return info;
  }
}
