package retap.host;

import com.google.gson.JsonArray;
import java.util.LinkedHashSet;
import java.util.Set;

/** What the app needs and this device cannot do, noticed while it runs. Each thing is told once. */
final class Notes {
  /** An app could make up new ones without end. */
  private static final int MOST = 50;

  private static final Set<String> KNOWN = new LinkedHashSet<>();
  private static int told;

  private Notes() {}

  static synchronized void add(String note) {
    if (KNOWN.size() < MOST) {
      KNOWN.add(note);
    }
  }

  /** Those that were not told yet. */
  static synchronized JsonArray take() {
    JsonArray taken = new JsonArray();
    KNOWN.stream().skip(told).forEach(taken::add);
    told = KNOWN.size();
    return taken;
  }
}
