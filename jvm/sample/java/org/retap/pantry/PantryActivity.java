package org.retap.pantry;

import android.app.Activity;
import android.app.AlertDialog;
import android.content.DialogInterface;
import android.content.Intent;
import android.content.SharedPreferences;
import android.os.Bundle;
import android.preference.PreferenceManager;
import android.view.Menu;
import android.view.MenuItem;
import android.view.View;
import android.widget.AdapterView;
import android.widget.ListView;
import android.widget.TextView;
import java.util.List;

/** The first screen: what there is. */
public final class PantryActivity extends Activity implements View.OnClickListener {
  private Pantry pantry;
  private List<Item> items;

  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    setContentView(R.layout.pantry);
    PreferenceManager.setDefaultValues(this, R.xml.preferences, false);
    pantry = new Pantry(this);
    ListView list = findViewById(R.id.items);
    list.setEmptyView(findViewById(R.id.empty));
    list.setOnItemClickListener(
        new AdapterView.OnItemClickListener() {
          @Override
          public void onItemClick(AdapterView<?> parent, View row, int position, long id) {
            open(id);
          }
        });
    findViewById(R.id.add).setOnClickListener(this);
    findViewById(R.id.summary).setOnClickListener(this);
  }

  @Override
  protected void onResume() {
    super.onResume();
    show();
  }

  @Override
  protected void onDestroy() {
    pantry.close();
    super.onDestroy();
  }

  private void show() {
    SharedPreferences settings = PreferenceManager.getDefaultSharedPreferences(this);
    items =
        pantry.all(
            settings.getBoolean("by_shelf", false), settings.getBoolean("hide_used_up", false));
    Rows rows = new Rows(items, warnBelow(settings));
    this.<ListView>findViewById(R.id.items).setAdapter(rows);
    this.<TextView>findViewById(R.id.contents).setText(getString(R.string.contents, items.size()));
  }

  private static int warnBelow(SharedPreferences settings) {
    try {
      return Integer.parseInt(settings.getString("warn_below", ""));
    } catch (NumberFormatException empty) {
      return 0;
    }
  }

  @Override
  public void onClick(View button) {
    if (button.getId() == R.id.add) {
      open(0);
    } else {
      summarise();
    }
  }

  private void open(long id) {
    startActivity(new Intent(this, ItemActivity.class).putExtra(ItemActivity.ID, id));
  }

  private void summarise() {
    new AlertDialog.Builder(this)
        .setTitle(R.string.summary)
        .setMessage(new Summary(items).text(this))
        .setPositiveButton(android.R.string.ok, null)
        .show();
  }

  @Override
  public boolean onCreateOptionsMenu(Menu menu) {
    getMenuInflater().inflate(R.menu.pantry, menu);
    return true;
  }

  @Override
  public boolean onPrepareOptionsMenu(Menu menu) {
    menu.findItem(R.id.undo).setVisible(Undo.last != null);
    return true;
  }

  @Override
  public boolean onOptionsItemSelected(MenuItem chosen) {
    switch (chosen.getItemId()) {
      case R.id.undo:
        pantry.save(Undo.last);
        Undo.last = null;
        show();
        return true;
      case R.id.settings:
        startActivity(new Intent(this, SettingsActivity.class));
        return true;
      case R.id.clear:
        askToClear();
        return true;
      default:
        return super.onOptionsItemSelected(chosen);
    }
  }

  private void askToClear() {
    new AlertDialog.Builder(this)
        .setMessage(R.string.clear_question)
        .setNegativeButton(android.R.string.cancel, null)
        .setPositiveButton(
            R.string.clear_yes,
            new DialogInterface.OnClickListener() {
              @Override
              public void onClick(DialogInterface dialog, int which) {
                pantry.clear();
                show();
              }
            })
        .show();
  }
}
