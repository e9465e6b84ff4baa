package retap.device;

import android.graphics.Canvas;
import android.graphics.Color;
import android.graphics.Paint;
import android.graphics.Rect;
import java.util.ArrayList;
import java.util.List;

/** Where the keys of a keyboard are, in shares of its size: four rows of the same height. */
final class KeyboardLayout {
  static final String DELETE = "delete";
  static final String ENTER = "enter";
  static final String NOTHING = "";

  private final List<Row> rows;

  private KeyboardLayout(List<Row> rows) {
    this.rows = rows;
  }

  /** Letters as on the standard keyboard of Android. */
  static final KeyboardLayout LETTERS =
      new KeyboardLayout(
          List.of(
              new Row(0).keys("qwertyuiop", 0.1f),
              new Row(0.05f).keys("asdfghjkl", 0.1f),
              new Row(0).key(NOTHING, 0.15f).keys("zxcvbnm", 0.1f).key(DELETE, 0.15f),
              new Row(0)
                  .key(NOTHING, 0.15f)
                  .keys(",", 0.1f)
                  .key(" ", 0.5f)
                  .key(".", 0.1f)
                  .key(ENTER, 0.15f)));

  /** Digits, for fields that take only these. */
  static final KeyboardLayout NUMBERS =
      new KeyboardLayout(
          List.of(
              new Row(0).keys("123", 0.26f).key("-", 0.22f),
              new Row(0).keys("456", 0.26f).key(".", 0.22f),
              new Row(0).keys("789", 0.26f).key(DELETE, 0.22f),
              new Row(0)
                  .key(NOTHING, 0.26f)
                  .key("0", 0.26f)
                  .key(NOTHING, 0.26f)
                  .key(ENTER, 0.22f)));

  private record Key(String types, float width) {}

  private static final class Row {
    final float left;
    final List<Key> keys = new ArrayList<>();

    Row(float left) {
      this.left = left;
    }

    Row key(String types, float width) {
      keys.add(new Key(types, width));
      return this;
    }

    Row keys(String letters, float width) {
      letters.codePoints().forEach(letter -> key(Character.toString(letter), width));
      return this;
    }
  }

  /** The key at a place; null between keys. */
  String key(float x, float y) {
    int row = Math.min((int) (y * rows.size()), rows.size() - 1);
    float left = rows.get(row).left;
    for (Key key : rows.get(row).keys) {
      if (x >= left && x < left + key.width) {
        return key.types;
      }
      left += key.width;
    }
    return null;
  }

  void draw(Canvas canvas, Rect frame, float textSize) {
    Paint paint = new Paint(Paint.ANTI_ALIAS_FLAG);
    paint.setTextSize(textSize);
    paint.setTextAlign(Paint.Align.CENTER);
    paint.setColor(Color.rgb(38, 50, 56));
    canvas.drawRect(frame, paint);
    paint.setColor(Color.WHITE);
    float height = (float) frame.height() / rows.size();
    for (int row = 0; row < rows.size(); row++) {
      float left = rows.get(row).left;
      for (Key key : rows.get(row).keys) {
        float middle = frame.left + (left + key.width / 2) * frame.width();
        canvas.drawText(key.types, middle, frame.top + (row + 0.6f) * height, paint);
        left += key.width;
      }
    }
  }
}
