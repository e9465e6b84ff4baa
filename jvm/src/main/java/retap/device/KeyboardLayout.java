package retap.device;

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
              new Row(0).key(NOTHING, 0.15f).keys(",", 0.1f).key(" ", 0.5f).key(".", 0.1f)
                  .key(ENTER, 0.15f)));

  /** Digits, for fields that take only these. */
  static final KeyboardLayout NUMBERS =
      new KeyboardLayout(
          List.of(
              new Row(0).keys("123", 0.26f).key("-", 0.22f),
              new Row(0).keys("456", 0.26f).key(".", 0.22f),
              new Row(0).keys("789", 0.26f).key(DELETE, 0.22f),
              new Row(0).key(NOTHING, 0.26f).key("0", 0.26f).key(NOTHING, 0.26f)
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
}
