package retap.device;

import android.app.Instrumentation;
import android.os.Bundle;
import javax.inject.Inject;
import javax.inject.Named;
import org.robolectric.android.internal.AndroidTestEnvironment;
import org.robolectric.internal.ShadowProvider;
import org.robolectric.pluginapi.Sdk;
import org.robolectric.pluginapi.TestEnvironmentLifecyclePlugin;

/**
 * Robolectric's environment, with Android's own instrumentation in it: nothing is recorded,
 * everything is done.
 */
public final class DeviceEnvironment extends AndroidTestEnvironment {
  @Inject
  public DeviceEnvironment(
      @Named("runtimeSdk") Sdk runtimeSdk,
      @Named("compileSdk") Sdk compileSdk,
      ShadowProvider[] shadowProviders,
      TestEnvironmentLifecyclePlugin[] plugins) {
    super(runtimeSdk, compileSdk, shadowProviders, plugins);
  }

  @Override
  protected Instrumentation pickInstrumentation() {
    return new MainThreadInstrumentation();
  }

  /** Everything here is done on the main thread. */
  private static final class MainThreadInstrumentation extends Instrumentation {
    @Override
    public void runOnMainSync(Runnable action) {
      action.run();
    }

    @Override
    public void finish(int resultCode, Bundle results) {}
  }
}
