package org.retap.pantry;

import android.view.LayoutInflater;
import android.view.View;
import android.view.ViewGroup;
import android.widget.BaseAdapter;
import android.widget.TextView;
import java.util.List;

/** The rows of the list. */
final class Rows extends BaseAdapter {
  private final List<Item> items;
  private final int warnBelow;

  Rows(List<Item> items, int warnBelow) {
    this.items = items;
    this.warnBelow = warnBelow;
  }

  @Override
  public int getCount() {
    return items.size();
  }

  @Override
  public Item getItem(int position) {
    return items.get(position);
  }

  @Override
  public long getItemId(int position) {
    return items.get(position).id;
  }

  @Override
  public View getView(int position, View old, ViewGroup parent) {
    View row =
        old != null
            ? old
            : LayoutInflater.from(parent.getContext()).inflate(R.layout.row, parent, false);
    Item item = items.get(position);
    TextView amount = row.findViewById(R.id.amount);
    amount.setText(String.valueOf(item.amount));
    amount.setBackgroundResource(item.amount < warnBelow ? R.drawable.badge_low : R.drawable.badge);
    row.<TextView>findViewById(R.id.name).setText(item.name);
    row.<TextView>findViewById(R.id.shelf).setText(item.shelf);
    return row;
  }
}
