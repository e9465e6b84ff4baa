package retap.device;

import android.graphics.Rect;
import android.util.DisplayMetrics;

/** The screen: its size now, and what the system takes of it. */
final class Screen {
  private static final int STATUS_BAR_DP = 24;

  private int width;
  private int height;
  private float density = 1;

  void set(DisplayMetrics metrics) {
    width = metrics.widthPixels;
    height = metrics.heightPixels;
    density = metrics.density;
  }

  boolean isLandscape() {
    return width > height;
  }

  int width() {
    return width;
  }

  int height() {
    return height;
  }

  int statusBar() {
    return Math.round(STATUS_BAR_DP * density);
  }

  int px(float dp) {
    return Math.round(dp * density);
  }

  Rect whole() {
    return new Rect(0, 0, width, height);
  }
}
