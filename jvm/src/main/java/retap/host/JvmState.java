package retap.host;

import java.io.InputStream;
import java.io.PrintStream;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.ResponseCache;
import java.security.Provider;
import java.security.Security;
import java.util.Locale;
import java.util.Properties;
import java.util.TimeZone;

/**
 * What an app can set for the whole JVM, which outlives the app's process here: on a phone it would
 * be gone with it.
 */
public final class JvmState {
  private final Properties properties = (Properties) System.getProperties().clone();
  private final TimeZone zone = TimeZone.getDefault();
  private final Locale locale = Locale.getDefault();
  private final Thread.UncaughtExceptionHandler handler =
      Thread.getDefaultUncaughtExceptionHandler();
  private final CookieHandler cookies = CookieHandler.getDefault();
  private final ProxySelector proxies = ProxySelector.getDefault();
  private final ResponseCache responses = ResponseCache.getDefault();
  private final Authenticator authenticator = Authenticator.getDefault();
  private final Provider[] providers = Security.getProviders();
  private final InputStream in = System.in;
  private final PrintStream out = System.out;
  private final PrintStream err = System.err;

  /** Sets everything as it was when this was made. */
  public void restore() {
    System.setProperties((Properties) properties.clone());
    TimeZone.setDefault(zone);
    Locale.setDefault(locale);
    Thread.setDefaultUncaughtExceptionHandler(handler);
    CookieHandler.setDefault(cookies);
    ProxySelector.setDefault(proxies);
    ResponseCache.setDefault(responses);
    Authenticator.setDefault(authenticator);
    restoreProviders();
    System.setIn(in);
    System.setOut(out);
    System.setErr(err);
  }

  private void restoreProviders() {
    for (Provider provider : Security.getProviders()) {
      Security.removeProvider(provider.getName());
    }
    for (Provider provider : providers) {
      Security.addProvider(provider);
    }
  }
}
