package retap.device;

import android.content.Intent;
import android.os.Bundle;
import android.os.Parcel;
import android.os.Parcelable;
import android.os.TransactionTooLargeException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;

/**
 * An interface of the system, answered by the methods of an object that have the same names. What
 * it has no method for is answered with null, 0 or false.
 */
final class Remote implements InvocationHandler {
  /** What a process can send at once: a megabyte, without the two pages that keep it apart. */
  private static final int BUFFER = (1 << 20) - 2 * 4_096;

  private final Object by;
  private final Map<String, Method> methods = new HashMap<>();

  private Remote(Object by) {
    this.by = by;
    for (Method method : by.getClass().getDeclaredMethods()) {
      method.setAccessible(true);
      methods.put(key(method), method);
    }
  }

  static <T> T of(Class<T> type, Object by) {
    ClassLoader loader = Remote.class.getClassLoader();
    return type.cast(Proxy.newProxyInstance(loader, new Class<?>[] {type}, new Remote(by)));
  }

  @Override
  public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
    Method found = methods.get(key(method));
    if (found != null) {
      weigh(arguments);
      try {
        return found.invoke(by, arguments);
      } catch (InvocationTargetException failure) {
        throw failure.getCause();
      }
    }
    return switch (method.getName()) {
      case "asBinder" -> new android.os.Binder();
      case "equals" -> proxy == arguments[0];
      case "hashCode" -> System.identityHashCode(proxy);
      case "toString" -> "Remote " + by.getClass().getSimpleName();
      default -> nothing(method.getReturnType());
    };
  }

  /** What an app gives to the system goes through a buffer, which may be too small for it. */
  private static void weigh(Object[] arguments) throws TransactionTooLargeException {
    for (Object argument : arguments == null ? new Object[0] : arguments) {
      if (argument instanceof Intent || argument instanceof Bundle) {
        int size = size((Parcelable) argument);
        if (size > BUFFER) {
          throw new TransactionTooLargeException("data parcel size " + size + " bytes");
        }
      }
    }
  }

  private static int size(Parcelable sent) {
    Parcel parcel = Parcel.obtain();
    try {
      sent.writeToParcel(parcel, 0);
      return parcel.dataSize();
    } finally {
      parcel.recycle();
    }
  }

  private static String key(Method method) {
    return method.getName() + method.getParameterCount();
  }

  private static Object nothing(Class<?> type) {
    if (type == boolean.class) {
      return false;
    } else if (type == int.class) {
      return 0;
    } else if (type == long.class) {
      return 0L;
    } else if (type == float.class) {
      return 0f;
    } else {
      return null;
    }
  }
}
