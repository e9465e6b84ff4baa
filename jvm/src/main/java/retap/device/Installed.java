package retap.device;

import android.content.ComponentName;
import android.content.Intent;
import android.net.Uri;
import com.google.gson.Gson;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Other apps of a phone, by the intents that they take. Everything else finds no activity. */
final class Installed {
  private final List<Handler> handlers;

  /** One activity, and what it takes: what is not said does not matter. */
  private record Handler(
      String action,
      String prefix,
      List<String> schemes,
      List<String> types,
      List<String> authorities,
      String activity) {
    boolean takes(Intent intent, String type) {
      String asked = String.valueOf(intent.getAction());
      boolean meant = action == null ? asked.startsWith(prefix) : asked.equals(action);
      Uri data = intent.getData();
      return meant
          && (schemes == null || data != null && schemes.contains(data.getScheme()))
          && (authorities == null || data != null && authorities.contains(data.getAuthority()))
          && (types == null || type != null && types.stream().anyMatch(known -> is(type, known)));
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

  static Installed read() throws IOException {
    try (InputStream file = Installed.class.getResourceAsStream("/retap/installed.json");
        Reader text = new InputStreamReader(file, StandardCharsets.UTF_8)) {
      return new Installed(List.of(new Gson().fromJson(text, Handler[].class)));
    }
  }

  /** Who takes an intent; null when nobody does. */
  ComponentName handler(Intent intent, String type) {
    for (Handler handler : handlers) {
      if (handler.takes(intent, type)) {
        ComponentName component = ComponentName.unflattenFromString(handler.activity);
        boolean meant =
            intent.getPackage() == null || intent.getPackage().equals(component.getPackageName());
        if (meant) {
          return component;
        }
      }
    }
    return null;
  }
}
