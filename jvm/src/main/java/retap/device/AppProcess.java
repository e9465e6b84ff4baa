package retap.device;

import android.app.ActivityThread;
import android.app.Application;
import android.app.LoadedApk;
import android.content.pm.ApplicationInfo;
import android.content.pm.PackageParser;
import android.content.pm.ProviderInfo;
import android.content.res.CompatibilityInfo;
import android.content.res.Configuration;
import android.content.res.Resources;
import android.graphics.ImageDecoder;
import android.os.AsyncTask;
import android.os.Build;
import android.os.LocaleList;
import android.os.Message;
import android.os.Process;
import android.os.StrictMode;
import android.util.UtilConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.shadows.ShadowActivityThread;
import org.robolectric.shadows.ShadowPackageParser;
import retap.host.BadApp;

/**
 * The app's process: its class loader, its ActivityThread and its Application, made as Android
 * makes them when a process is bound to an app.
 */
final class AppProcess {
  private static AppProcess current;

  private final ClassLoader classLoader;
  private final ApplicationInfo info;

  private AppProcess(ClassLoader classLoader, ApplicationInfo info) {
    this.classLoader = classLoader;
    this.info = info;
  }

  /** The app's class loader; Android's own before there is one. */
  static ClassLoader classLoader() {
    return current == null ? AppProcess.class.getClassLoader() : current.classLoader;
  }

  static ApplicationInfo applicationInfo() {
    return current.info;
  }

  /** The device's configuration as it is now. */
  static Configuration configuration() {
    return new Configuration(Resources.getSystem().getConfiguration());
  }

  /** There is no process of the app. */
  static void forget() {
    current = null;
  }

  static PackageParser.Package parse(Path apk) {
    try {
      return ShadowPackageParser.callParsePackage(apk);
    } catch (RuntimeException unreadable) {
      throw new BadApp("its manifest cannot be read: " + unreadable.getMessage());
    }
  }

  /** Starts the process. What the app's Application and providers throw is thrown. */
  static void start(ClassLoader classLoader, PackageParser.Package parsed, Path data)
      throws IOException {
    ActivityThread thread = (ActivityThread) RuntimeEnvironment.getActivityThread();
    ApplicationInfo info = new ApplicationInfo(parsed.applicationInfo);
    info.uid = Process.myUid();
    info.processName = info.processName == null ? info.packageName : info.processName;
    info.sourceDir = parsed.codePath;
    info.publicSourceDir = parsed.codePath;
    info.dataDir = folder(data, "user/0/" + info.packageName);
    info.credentialProtectedDataDir = info.dataDir;
    info.deviceProtectedDataDir = folder(data, "user_de/0/" + info.packageName);
    info.nativeLibraryDir = folder(data, "app-lib/" + info.packageName);
    info.enabled = true;
    // As on a phone: files that live for a moment are the app's, and go with its data.
    System.setProperty("java.io.tmpdir", folder(data, "user/0/" + info.packageName + "/cache"));
    current = new AppProcess(classLoader, info);
    Thread.currentThread().setContextClassLoader(classLoader);
    ShadowActivityThread.setApplicationInfo(info);
    Hardware.set(RuntimeEnvironment.getApplication().getContentResolver());
    bind(thread, info, parsed);
  }

  private static void bind(
      ActivityThread thread, ApplicationInfo info, PackageParser.Package parsed) {
    Map<String, ?> packages = Hidden.get(thread, "mPackages");
    packages.clear();
    Object bound = Hidden.get(thread, "mBoundApplication");
    Hidden.set(bound, "appInfo", info);
    Hidden.set(bound, "processName", info.processName);
    Hidden.set(bound, "compatInfo", CompatibilityInfo.DEFAULT_COMPATIBILITY_INFO);
    LoadedApk apk =
        thread.getPackageInfoNoCheck(info, CompatibilityInfo.DEFAULT_COMPATIBILITY_INFO);
    Hidden.set(bound, "info", apk);
    Hidden.set(thread, "mProfiler", Hidden.make("android.app.ActivityThread$Profiler"));
    Configuration configuration = configuration();
    Hidden.set(thread, "mConfiguration", configuration);
    Hidden.set(bound, "config", configuration);
    LocaleList.setDefault(configuration.getLocales());
    adapt(info);
    StrictMode.ThreadPolicy before = StrictMode.allowThreadDiskWrites();
    StrictMode.ThreadPolicy meanwhile = StrictMode.getThreadPolicy();
    try {
      begin(thread, apk, info, parsed);
    } finally {
      // What an older app has set of it does not last.
      if (info.targetSdkVersion < Build.VERSION_CODES.O_MR1
          || StrictMode.getThreadPolicy().equals(meanwhile)) {
        StrictMode.setThreadPolicy(before);
      }
    }
  }

  /** Android's own code does otherwise for apps that were made for an earlier Android. */
  private static void adapt(ApplicationInfo info) {
    int target = info.targetSdkVersion;
    if (target <= Build.VERSION_CODES.HONEYCOMB_MR1) {
      AsyncTask.setDefaultExecutor(AsyncTask.THREAD_POOL_EXECUTOR);
    }
    UtilConfig.setThrowExceptionForUpperArrayOutOfBounds(target >= Build.VERSION_CODES.Q);
    Message.updateCheckRecycle(target);
    ImageDecoder.sApiLevel = target;
    StrictMode.initThreadDefaults(info);
    StrictMode.initVmDefaults(info);
  }

  private static void begin(
      ActivityThread thread, LoadedApk apk, ApplicationInfo info, PackageParser.Package parsed) {
    Application application = apk.makeApplication(false, null);
    Hidden.set(thread, "mInitialApplication", application);
    RuntimeEnvironment.application = application;
    List<ProviderInfo> providers = new ArrayList<>();
    for (PackageParser.Provider provider : parsed.providers) {
      ProviderInfo copy = new ProviderInfo(provider.info);
      copy.applicationInfo = info;
      if (copy.enabled && copy.authority != null) {
        providers.add(copy);
      }
    }
    if (!providers.isEmpty()) {
      Hidden.call(thread, "installContentProviders", application, providers);
    }
    thread.getInstrumentation().callApplicationOnCreate(application);
  }

  private static String folder(Path under, String name) throws IOException {
    return Files.createDirectories(under.resolve(name)).toAbsolutePath().toString();
  }
}
