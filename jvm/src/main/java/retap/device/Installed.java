package retap.device;

import android.content.ComponentName;
import android.content.Intent;
import android.net.Uri;
import com.google.gson.Gson;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Other apps of a phone, by the intents that they take. Everything else finds no activity. */
final class Installed {
  private final List<Handler> handlers;

  /**
   * One activity, and what it takes: what is not said does not matter. One with a file does not
   * come to the front: it gives the file back at once.
   */
  private record Handler(
      String action,
      String prefix,
      String category,
      List<String> schemes,
      List<String> types,
      List<String> authorities,
      String activity,
      String file) {
    boolean takes(Intent intent, String type) {
      String asked = String.valueOf(intent.getAction());
      boolean meant = action == null ? asked.startsWith(prefix) : asked.equals(action);
      Uri data = intent.getData();
      return meant
          && (category == null || intent.hasCategory(category))
          && (schemes == null || data != null && schemes.contains(data.getScheme()))
          && (authorities == null || data != null && authorities.contains(data.getAuthority()))
          && (types == null || type != null && types.stream().anyMatch(known -> is(type, known)));
    }

    ComponentName component() {
      return ComponentName.unflattenFromString(activity);
    }

    private static boolean is(String type, String known) {
      return known.endsWith("/*")
          ? type.startsWith(known.substring(0, known.length() - 1))
          : type.equals(known);
    }
  }

  private Installed(List<Handler> handlers) {
    this.handlers = handlers;
  }

  /** Those that every phone has, behind those that were asked for. */
  static Installed read(String asked) throws IOException {
    Gson json = new Gson();
    List<Handler> all = new ArrayList<>(List.of(json.fromJson(asked, Handler[].class)));
    try (InputStream file = Installed.class.getResourceAsStream("/retap/installed.json");
        Reader text = new InputStreamReader(file, StandardCharsets.UTF_8)) {
      all.addAll(List.of(json.fromJson(text, Handler[].class)));
    }
    return new Installed(all);
  }

  /** Who takes an intent; null when nobody does. */
  ComponentName handler(Intent intent, String type) {
    Handler found = find(intent, type);
    return found == null ? null : found.component();
  }

  /** The file that who takes an intent gives back; null when there is none. */
  File given(Intent intent, String type) {
    Handler found = find(intent, type);
    return found == null || found.file == null ? null : new File(found.file);
  }

  private Handler find(Intent intent, String type) {
    for (Handler handler : handlers) {
      String wanted = intent.getPackage();
      if (handler.takes(intent, type)
          && (wanted == null || wanted.equals(handler.component().getPackageName()))) {
        return handler;
      }
    }
    return null;
  }
}
