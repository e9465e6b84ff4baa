package retap.host;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.robolectric.internal.bytecode.Interceptor;
import org.robolectric.internal.bytecode.MethodRef;
import org.robolectric.internal.bytecode.MethodSignature;
import org.robolectric.util.Function;

/** Android's own code has the same date as the app's: without this it is that of 1970. */
public final class DeviceTime extends Interceptor {
  private static final String MILLIS = "currentTimeMillis";

  public DeviceTime() {
    super(new MethodRef(System.class, MILLIS));
  }

  @Override
  public Function<Object, Object> handle(MethodSignature called) {
    return (type, receiver, arguments) -> Calls.deviceTimeMillis();
  }

  @Override
  public MethodHandle getMethodHandle(String called, MethodType type)
      throws NoSuchMethodException, IllegalAccessException {
    return MethodHandles.lookup()
        .findStatic(Calls.class, "deviceTimeMillis", MethodType.methodType(long.class));
  }
}
