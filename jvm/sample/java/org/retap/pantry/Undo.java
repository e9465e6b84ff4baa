package org.retap.pantry;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.Deflater;

/**
 * Keeps what is removed, with a squeezed copy of its history, so that the menu can put it back.
 * That takes a while, so it is done on a thread of its own, as long as the screen of the item is
 * there.
 */
final class Undo extends Thread {
  private static final int PAGES = 200;
  private static final StringBuilder LINES = new StringBuilder();

  static {
    for (int line = 0; line < 100; line++) {
      LINES.append('\n').append(line).append(": ").append(line * 31 % 100);
    }
  }

  /** What was removed last and can be put back; null when there is no such thing. */
  static volatile Item last;

  private final ItemActivity screen;
  private final Map<String, byte[]> history = new HashMap<>();

  Undo(ItemActivity screen) {
    super("undo");
    this.screen = screen;
  }

  @Override
  public void run() {
    Item removed = screen.item;
    for (int page = 0; page < PAGES; page++) {
      if (screen.item == null) {
        return;
      }
      byte[] amounts = squeeze("amount", page);
      byte[] prices = squeeze("price", page);
      history.put(screen.item.name + " amounts " + page, amounts);
      history.put("prices " + page, prices);
      history.put("dates " + page, squeeze("date", page));
    }
    last = new Item(0, removed.name, removed.shelf, removed.amount);
  }

  private static byte[] squeeze(String what, int page) {
    byte[] bytes = (what + " " + page + LINES).getBytes(StandardCharsets.UTF_8);
    byte[] squeezed = new byte[bytes.length];
    Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION);
    deflater.setInput(bytes);
    deflater.finish();
    int length = deflater.deflate(squeezed);
    deflater.end();
    return Arrays.copyOf(squeezed, length);
  }
}
