package org.retap.phonelike;

import java.io.IOException;
import java.net.ContentHandler;
import java.net.ContentHandlerFactory;
import java.net.DatagramSocket;
import java.net.DatagramSocketImpl;
import java.net.DatagramSocketImplFactory;
import java.net.FileNameMap;
import java.net.HttpURLConnection;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketImpl;
import java.net.SocketImplFactory;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.net.URLStreamHandlerFactory;
import java.security.Security;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.FutureTask;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocketFactory;

/** What Java lets an app set for its whole process. */
final class Globals {
  private static final String OWN = "own";

  /** Neither the usual one nor that of a thread in the background. */
  private static final int PRIORITY = 3;

  private Globals() {}

  /** Each of these may be set once. */
  static void setFactories() throws IOException {
    URL.setURLStreamHandlerFactory(
        new URLStreamHandlerFactory() {
          @Override
          public URLStreamHandler createURLStreamHandler(String protocol) {
            return protocol.equals(OWN) ? new OwnStreams() : null;
          }
        });
    new URL("own://there");
    URLConnection.setContentHandlerFactory(
        new ContentHandlerFactory() {
          @Override
          public ContentHandler createContentHandler(String type) {
            return null;
          }
        });
    SocketImplFactory sockets =
        new SocketImplFactory() {
          @Override
          public SocketImpl createSocketImpl() {
            throw new IllegalStateException("the app's own sockets");
          }
        };
    Socket.setSocketImplFactory(sockets);
    ServerSocket.setSocketFactory(sockets);
    DatagramSocket.setDatagramSocketImplFactory(
        new DatagramSocketImplFactory() {
          @Override
          public DatagramSocketImpl createDatagramSocketImpl() {
            throw new IllegalStateException("the app's own sockets");
          }
        });
  }

  private static final class OwnStreams extends URLStreamHandler {
    @Override
    protected URLConnection openConnection(URL url) throws IOException {
      throw new IOException("there is nothing");
    }
  }

  static void set() throws Exception {
    URLConnection.setFileNameMap(
        new FileNameMap() {
          @Override
          public String getContentTypeFor(String file) {
            return OWN;
          }
        });
    URLConnection.setDefaultAllowUserInteraction(true);
    HttpURLConnection.setFollowRedirects(false);
    HttpsURLConnection.setDefaultHostnameVerifier(
        new HostnameVerifier() {
          @Override
          public boolean verify(String host, SSLSession session) {
            return true;
          }

          @Override
          public String toString() {
            return OWN;
          }
        });
    SSLContext own = SSLContext.getInstance("TLSv1.2");
    own.init(null, null, null);
    SSLContext.setDefault(own);
    HttpsURLConnection.setDefaultSSLSocketFactory(own.getSocketFactory());
    Security.setProperty("phonelike", OWN);
    Locale.setDefault(Locale.Category.FORMAT, Locale.JAPAN);
    Logger root = LogManager.getLogManager().getLogger("");
    root.setLevel(Level.FINEST);
    while (root.getHandlers().length > 0) {
      root.removeHandler(root.getHandlers()[0]);
    }
    Thread.currentThread().setName(OWN);
    Thread.currentThread().setPriority(PRIORITY);
    Thread.currentThread().getThreadGroup().setMaxPriority(PRIORITY);
    Thread.currentThread().interrupt();
    inCommonPool(
        new Callable<Object>() {
          @Override
          public Object call() {
            Thread.currentThread().setName(OWN);
            android.os.Looper.prepare();
            return null;
          }
        });
  }

  /** What of it is there, in words. */
  static String found() throws Exception {
    StringBuilder found = new StringBuilder("found");
    add(found, "map", OWN.equals(URLConnection.getFileNameMap().getContentTypeFor("a.png")));
    add(found, "interaction", URLConnection.getDefaultAllowUserInteraction());
    add(found, "redirects", !HttpURLConnection.getFollowRedirects());
    HostnameVerifier verifier = HttpsURLConnection.getDefaultHostnameVerifier();
    add(found, "verifier", OWN.equals(verifier.toString()));
    add(found, "context", SSLContext.getDefault().getProtocol().equals("TLSv1.2"));
    SSLSocketFactory sockets = HttpsURLConnection.getDefaultSSLSocketFactory();
    String suites = Arrays.toString(sockets.getDefaultCipherSuites());
    // The newest version has these.
    add(found, "sockets", !suites.contains("TLS_AES_"));
    add(found, "security", Security.getProperty("phonelike") != null);
    add(found, "format", Locale.getDefault(Locale.Category.FORMAT).equals(Locale.JAPAN));
    Logger root = LogManager.getLogManager().getLogger("");
    add(found, "level", root.getLevel() == Level.FINEST);
    add(found, "handlers", root.getHandlers().length == 0);
    Thread main = Thread.currentThread();
    add(found, "name", OWN.equals(main.getName()));
    add(found, "priority", main.getPriority() == PRIORITY);
    add(found, "group", main.getThreadGroup().getMaxPriority() == PRIORITY);
    add(found, "interrupted", main.isInterrupted());
    add(
        found,
        "pool",
        (Boolean)
            inCommonPool(
                new Callable<Object>() {
                  @Override
                  public Object call() {
                    return android.os.Looper.myLooper() != null
                        || Thread.currentThread().getName().equals(OWN);
                  }
                }));
    return found.toString();
  }

  /** Not by waiting for the task itself: who waits for one of that pool does it. */
  private static Object inCommonPool(Callable<Object> work) throws Exception {
    boolean interrupted = Thread.interrupted();
    try {
      FutureTask<Object> done = new FutureTask<Object>(work);
      ForkJoinPool.commonPool().execute(done);
      return done.get();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static void add(StringBuilder found, String name, boolean is) {
    found.append(is ? " " + name : "");
  }
}
