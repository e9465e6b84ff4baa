package retap.host;

import java.lang.reflect.Field;
import java.net.DatagramSocket;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URL;
import java.net.URLConnection;
import java.security.Security;
import java.util.HashMap;
import java.util.Map;

/** What Java lets an app set once, or does not show, and keeps in statics of its own classes. */
final class HiddenStatics {
  private static final Map<Class<?>, String[]> VALUES =
      Map.of(
          URL.class, new String[] {"factory"},
          URLConnection.class, new String[] {"factory", "defaultUseCaches"},
          Socket.class, new String[] {"factory"},
          ServerSocket.class, new String[] {"factory"},
          DatagramSocket.class, new String[] {"factory"});

  private static final Map<Class<?>, String[]> TABLES =
      Map.of(
          URL.class, new String[] {"handlers"},
          URLConnection.class, new String[] {"handlers", "defaultCaching"},
          Security.class, new String[] {"props"});

  private final Map<Field, Object> values = new HashMap<>();
  private final Map<Field, Map<Object, Object>> tables = new HashMap<>();

  /** Another Java may keep some in another place. */
  private boolean complete = true;

  HiddenStatics() {
    each(VALUES, field -> values.put(field, field.get(null)));
    each(TABLES, field -> tables.put(field, new HashMap<>(table(field))));
  }

  private interface Use {
    void of(Field field) throws IllegalAccessException;
  }

  private void each(Map<Class<?>, String[]> all, Use use) {
    all.forEach(
        (type, names) -> {
          for (String name : names) {
            try {
              Field field = type.getDeclaredField(name);
              field.setAccessible(true);
              use.of(field);
            } catch (ReflectiveOperationException | RuntimeException elsewhere) {
              complete = false;
            }
          }
        });
  }

  @SuppressWarnings("unchecked")
  private static Map<Object, Object> table(Field field) throws IllegalAccessException {
    return (Map<Object, Object>) field.get(null);
  }

  /** Sets them as they were. Says whether all of them are. */
  boolean restore() {
    try {
      for (Map.Entry<Field, Object> value : values.entrySet()) {
        value.getKey().set(null, value.getValue());
      }
      for (Map.Entry<Field, Map<Object, Object>> table : tables.entrySet()) {
        Map<Object, Object> now = table(table.getKey());
        now.keySet().retainAll(table.getValue().keySet());
        now.putAll(table.getValue());
      }
    } catch (IllegalAccessException | RuntimeException unable) {
      return false;
    }
    return complete;
  }
}
