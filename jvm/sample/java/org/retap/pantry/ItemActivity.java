package org.retap.pantry;

import android.app.Activity;
import android.app.AlertDialog;
import android.content.DialogInterface;
import android.os.Bundle;
import android.view.View;
import android.widget.EditText;

/** One item: to be changed, removed or added. */
public final class ItemActivity extends Activity implements View.OnClickListener {
  /** The number of the item; 0 for a new one. */
  static final String ID = "id";

  /** {@link Undo} reads it on its own thread. It is null when the user has left this screen. */
  volatile Item item;

  private Pantry pantry;
  private long id;
  private EditText name;
  private EditText shelf;
  private EditText amount;

  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    setContentView(R.layout.item);
    pantry = new Pantry(this);
    name = findViewById(R.id.name);
    shelf = findViewById(R.id.shelf);
    amount = findViewById(R.id.amount);
    id = getIntent().getLongExtra(ID, 0);
    item = id == 0 ? new Item(0, "", "", 1) : pantry.get(id);
    if (item == null) {
      finish();
      return;
    }
    name.setText(item.name);
    shelf.setText(item.shelf);
    amount.setText(String.valueOf(item.amount));
    findViewById(R.id.save).setOnClickListener(this);
    findViewById(R.id.remove).setOnClickListener(this);
    findViewById(R.id.remove).setVisibility(id == 0 ? View.GONE : View.VISIBLE);
  }

  @Override
  protected void onPause() {
    super.onPause();
    if (isFinishing()) {
      item = null;
    }
  }

  @Override
  protected void onDestroy() {
    pantry.close();
    super.onDestroy();
  }

  @Override
  public void onClick(View button) {
    if (button.getId() == R.id.save) {
      save();
    } else {
      askToRemove();
    }
  }

  private void save() {
    String called = name.getText().toString().trim();
    if (called.isEmpty()) {
      name.setError(getString(R.string.name_missing));
      return;
    }
    int number;
    try {
      number = Integer.parseInt(amount.getText().toString().trim());
    } catch (NumberFormatException wrong) {
      amount.setError(getString(R.string.amount_wrong));
      return;
    }
    pantry.save(new Item(id, called, shelf.getText().toString().trim(), number));
    finish();
  }

  private void askToRemove() {
    new AlertDialog.Builder(this)
        .setMessage(getString(R.string.remove_question, name.getText()))
        .setNegativeButton(android.R.string.cancel, null)
        .setPositiveButton(
            R.string.remove,
            new DialogInterface.OnClickListener() {
              @Override
              public void onClick(DialogInterface dialog, int which) {
                remove();
              }
            })
        .show();
  }

  private void remove() {
    pantry.remove(id);
    new Undo(this).start();
    finish();
  }
}
