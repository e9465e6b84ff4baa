package retap.device;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.robolectric.pluginapi.config.ConfigurationStrategy;

/** Settings of Robolectric that are always the same. */
final class FixedConfiguration implements ConfigurationStrategy.Configuration {
  private final Map<Class<?>, Object> settings = new LinkedHashMap<>();

  <T> FixedConfiguration with(Class<T> type, T value) {
    settings.put(type, value);
    return this;
  }

  @Override
  public <T> T get(Class<T> type) {
    return type.cast(settings.get(type));
  }

  @Override
  public Set<Class<?>> keySet() {
    return settings.keySet();
  }

  @Override
  public Map<Class<?>, Object> map() {
    return settings;
  }
}
