package retap.device;

import android.graphics.Bitmap;
import android.graphics.Canvas;
import android.graphics.Color;
import android.view.View;
import android.view.WindowManager.LayoutParams;
import java.io.ByteArrayOutputStream;

/** A picture of all windows that can be seen, drawn by Android's own code. */
final class Screenshot {
  private Screenshot() {}

  static byte[] of(Windows windows, Keyboard keyboard, Screen screen) {
    Bitmap picture = Bitmap.createBitmap(screen.width(), screen.height(), Bitmap.Config.ARGB_8888);
    Canvas canvas = new Canvas(picture);
    canvas.drawColor(Color.BLACK);
    for (Windows.Win window : windows.visible()) {
      View view = Input.view(window);
      if (view == null) {
        continue;
      }
      if (window.has(LayoutParams.FLAG_DIM_BEHIND)) {
        canvas.drawColor(Color.argb(Math.round(255 * window.attributes.dimAmount), 0, 0, 0));
      }
      canvas.save();
      canvas.translate(window.frame.left, window.frame.top);
      view.draw(canvas);
      canvas.restore();
      if (window == windows.typedInto()) {
        keyboard.draw(canvas);
      }
    }
    ByteArrayOutputStream png = new ByteArrayOutputStream();
    picture.compress(Bitmap.CompressFormat.PNG, 100, png);
    picture.recycle();
    return png.toByteArray();
  }
}
