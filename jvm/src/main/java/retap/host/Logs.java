package retap.host;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Filter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;

/** How Java's own logs are set, of which there is one for the whole JVM. */
final class Logs {
  private final Map<String, Setting> settings = new HashMap<>();

  private record Setting(Level level, Filter filter, boolean above, List<Handler> handlers) {
    static final Setting NEW = new Setting(null, null, true, List.of());

    Setting(Logger log) {
      this(
          log.getLevel(),
          log.getFilter(),
          log.getUseParentHandlers(),
          Arrays.asList(log.getHandlers()));
    }

    void apply(Logger log) {
      log.setLevel(level);
      log.setFilter(filter);
      log.setUseParentHandlers(above);
      for (Handler handler : log.getHandlers()) {
        log.removeHandler(handler);
      }
      handlers.forEach(log::addHandler);
    }
  }

  Logs() {
    for (String name : names()) {
      Logger log = LogManager.getLogManager().getLogger(name);
      if (log != null) {
        settings.put(name, new Setting(log));
      }
    }
  }

  private static List<String> names() {
    return Collections.list(LogManager.getLogManager().getLoggerNames());
  }

  void restore() {
    for (String name : names()) {
      Logger log = LogManager.getLogManager().getLogger(name);
      if (log != null) {
        settings.getOrDefault(name, Setting.NEW).apply(log);
      }
    }
  }
}
