package org.retap.pantry;

import android.content.ContentValues;
import android.content.Context;
import android.database.Cursor;
import android.database.sqlite.SQLiteDatabase;
import android.database.sqlite.SQLiteOpenHelper;
import java.util.ArrayList;
import java.util.List;

/** The database: one table of items. */
final class Pantry extends SQLiteOpenHelper {
  private static final String TABLE = "item";
  private static final String[] COLUMNS = {"_id", "name", "shelf", "amount"};

  private final Context context;

  Pantry(Context context) {
    super(context, "pantry.db", null, 1);
    this.context = context;
  }

  @Override
  public void onCreate(SQLiteDatabase database) {
    database.execSQL(
        "CREATE TABLE item (_id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL,"
            + " shelf TEXT NOT NULL, amount INTEGER NOT NULL)");
    for (String example : context.getResources().getStringArray(R.array.examples)) {
      String[] parts = example.split("\\|");
      Item item = new Item(0, parts[0], parts[1], Integer.parseInt(parts[2]));
      database.insertOrThrow(TABLE, null, values(item));
    }
  }

  @Override
  public void onUpgrade(SQLiteDatabase database, int from, int to) {}

  List<Item> all(boolean byShelf, boolean hideUsedUp) {
    String which = hideUsedUp ? "amount > 0" : null;
    String order = byShelf ? "shelf, name" : "name, shelf";
    return read(which, null, order);
  }

  /** The item of this number; null when it is gone. */
  Item get(long id) {
    List<Item> found = read("_id = ?", new String[] {Long.toString(id)}, null);
    return found.isEmpty() ? null : found.get(0);
  }

  void save(Item item) {
    if (item.id == 0) {
      getWritableDatabase().insertOrThrow(TABLE, null, values(item));
    } else {
      String[] which = {Long.toString(item.id)};
      getWritableDatabase().update(TABLE, values(item), "_id = ?", which);
    }
  }

  void remove(long id) {
    getWritableDatabase().delete(TABLE, "_id = ?", new String[] {Long.toString(id)});
  }

  void clear() {
    getWritableDatabase().delete(TABLE, null, null);
  }

  private List<Item> read(String which, String[] arguments, String order) {
    List<Item> items = new ArrayList<>();
    try (Cursor cursor =
        getReadableDatabase().query(TABLE, COLUMNS, which, arguments, null, null, order)) {
      while (cursor.moveToNext()) {
        items.add(
            new Item(
                cursor.getLong(0), cursor.getString(1), cursor.getString(2), cursor.getInt(3)));
      }
    }
    return items;
  }

  private static ContentValues values(Item item) {
    ContentValues values = new ContentValues();
    values.put("name", item.name);
    values.put("shelf", item.shelf);
    values.put("amount", item.amount);
    return values;
  }
}
