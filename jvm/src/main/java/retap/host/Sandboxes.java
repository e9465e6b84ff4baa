package retap.host;

import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.robolectric.android.AndroidSdkShadowMatcher;
import org.robolectric.annotation.ResourcesMode;
import org.robolectric.annotation.SQLiteMode;
import org.robolectric.config.AndroidConfigurer;
import org.robolectric.interceptors.AndroidInterceptors;
import org.robolectric.internal.AndroidSandbox;
import org.robolectric.internal.SandboxManager;
import org.robolectric.internal.bytecode.ClassHandler;
import org.robolectric.internal.bytecode.ClassHandlerBuilder;
import org.robolectric.internal.bytecode.InstrumentationConfiguration;
import org.robolectric.internal.bytecode.Interceptor;
import org.robolectric.internal.bytecode.Interceptors;
import org.robolectric.internal.bytecode.ShadowMap;
import org.robolectric.internal.bytecode.ShadowProviders;
import org.robolectric.pluginapi.Sdk;
import org.robolectric.pluginapi.SdkProvider;
import org.robolectric.util.inject.Injector;
import retap.device.DeviceEnvironment;
import retap.device.Shadows;

/** Makes the sandbox: Android's framework with Robolectric's shadows, and ours in place of some. */
final class Sandboxes {
  private Sandboxes() {}

  static AndroidSandbox make(int api) {
    Injector injector =
        new Injector.Builder(Sandboxes.class.getClassLoader())
            .bind(Properties.class, System.getProperties())
            .bind(
                AndroidSandbox.TestEnvironmentSpec.class,
                new AndroidSandbox.TestEnvironmentSpec(DeviceEnvironment.class))
            .build();
    Sdk sdk = sdk(injector, api);
    // Of two for the same method, the later one counts.
    List<Interceptor> all = new ArrayList<>(AndroidInterceptors.all());
    all.add(new DeviceTime());
    Interceptors interceptors = new Interceptors(all);
    InstrumentationConfiguration.Builder configuration =
        new InstrumentationConfiguration.Builder()
            .doNotAcquirePackage("retap.host.")
            .doNotAcquirePackage("com.google.gson.");
    injector.getInstance(AndroidConfigurer.class).configure(configuration, interceptors);
    AndroidSandbox sandbox =
        injector
            .getInstance(SandboxManager.SandboxBuilder.class)
            .build(
                configuration.build(), sdk, sdk, ResourcesMode.Mode.BINARY, SQLiteMode.Mode.NATIVE);
    ShadowMap shadows =
        injector
            .getInstance(ShadowProviders.class)
            .getBaseShadowMap()
            .newBuilder()
            .addShadowClasses(Shadows.ALL)
            .build();
    sandbox.replaceShadowMap(shadows);
    ClassHandler handler =
        injector
            .getInstance(ClassHandlerBuilder.class)
            .build(
                shadows, new AndroidSdkShadowMatcher(sdk.getApiLevel()), interceptors, List.of());
    sandbox.configure(handler, interceptors);
    return sandbox;
  }

  private static Sdk sdk(Injector injector, int api) {
    for (Sdk sdk : injector.getInstance(SdkProvider.class).getSdks()) {
      if (sdk.getApiLevel() == api) {
        return sdk;
      }
    }
    throw new IllegalArgumentException("there is no API " + api);
  }
}
