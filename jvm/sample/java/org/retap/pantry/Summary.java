package org.retap.pantry;

import android.content.Context;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** How much there is, and how full the shelves are. */
final class Summary {
  private final Set<String> shelves = new HashSet<>();
  private int pieces;

  Summary(List<Item> items) {
    for (Item item : items) {
      shelves.add(item.shelf);
      pieces += item.amount;
    }
  }

  String text(Context context) {
    return context.getString(R.string.summary_text, pieces, shelves.size(), perShelf());
  }

  private int perShelf() {
    return pieces / shelves.size();
  }
}
