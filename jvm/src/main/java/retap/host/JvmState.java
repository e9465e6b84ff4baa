package retap.host;

import java.io.InputStream;
import java.io.PrintStream;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.FileNameMap;
import java.net.HttpURLConnection;
import java.net.ProxySelector;
import java.net.ResponseCache;
import java.net.URLConnection;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.Security;
import java.util.Locale;
import java.util.Properties;
import java.util.TimeZone;
import java.util.concurrent.ForkJoinPool;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSocketFactory;

/**
 * What an app can set for the whole JVM, which outlives the app's process here: on a phone it would
 * be gone with it.
 */
public final class JvmState {
  /** Whether there is something of the app that cannot be taken back. */
  private static volatile boolean spoilt;

  /** Whether the app has set what is found only where Java keeps it. */
  private static volatile boolean touched;

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
  private final FileNameMap types = URLConnection.getFileNameMap();
  private final boolean interaction = URLConnection.getDefaultAllowUserInteraction();
  private final boolean redirects = HttpURLConnection.getFollowRedirects();
  private final HostnameVerifier verifier = HttpsURLConnection.getDefaultHostnameVerifier();
  private final SSLContext context = defaultContext();
  private final SSLSocketFactory sockets = HttpsURLConnection.getDefaultSSLSocketFactory();
  private final String thread = Thread.currentThread().getName();
  private final int priority = Thread.currentThread().getPriority();
  private final Logs logs = new Logs();
  private final HiddenStatics hidden = new HiddenStatics();

  /** The state as it is now, on the main thread. */
  public JvmState() {
    // What Java makes of its settings when it is first asked must not be made of the app's.
    SSLServerSocketFactory.getDefault();
    ForkJoinPool.commonPool();
  }

  private static SSLContext defaultContext() {
    try {
      return SSLContext.getDefault();
    } catch (NoSuchAlgorithmException without) {
      return null;
    }
  }

  /** The app has done something for the whole JVM that only another process is free of. */
  static void spoil() {
    spoilt = true;
  }

  static void touch() {
    touched = true;
  }

  static boolean isSpoilt() {
    return spoilt;
  }

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
    restoreConnections();
    restoreThread();
    logs.restore();
    if (!hidden.restore() && touched) {
      spoil();
    }
  }

  private void restoreProviders() {
    for (Provider provider : Security.getProviders()) {
      Security.removeProvider(provider.getName());
    }
    for (Provider provider : providers) {
      Security.addProvider(provider);
    }
  }

  private void restoreConnections() {
    URLConnection.setFileNameMap(types);
    URLConnection.setDefaultAllowUserInteraction(interaction);
    HttpURLConnection.setFollowRedirects(redirects);
    HttpsURLConnection.setDefaultHostnameVerifier(verifier);
    HttpsURLConnection.setDefaultSSLSocketFactory(sockets);
    if (context != null) {
      SSLContext.setDefault(context);
    }
  }

  /** The main thread is the same for all processes of the app. */
  private void restoreThread() {
    Thread main = Thread.currentThread();
    Thread.interrupted();
    restorePriority(main.getThreadGroup());
    main.setName(thread);
    main.setPriority(priority);
    main.setUncaughtExceptionHandler(null);
  }

  /** From the outermost group inwards: none may have more than the one around it. */
  private static void restorePriority(ThreadGroup group) {
    if (group.getParent() != null) {
      restorePriority(group.getParent());
    }
    group.setMaxPriority(Thread.MAX_PRIORITY);
  }
}
