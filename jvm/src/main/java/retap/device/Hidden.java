package retap.device;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** Access to what the framework hides. */
final class Hidden {
  private Hidden() {}

  @SuppressWarnings("unchecked")
  static <T> T get(Object of, String name) {
    try {
      return (T) field(of instanceof Class<?> type ? type : of.getClass(), name).get(of);
    } catch (IllegalAccessException failure) {
      throw new IllegalStateException(failure);
    }
  }

  static void set(Object of, String name, Object value) {
    try {
      field(of instanceof Class<?> type ? type : of.getClass(), name).set(of, value);
    } catch (IllegalAccessException failure) {
      throw new IllegalStateException(failure);
    }
  }

  /** Calls the only method of this name with so many parameters. What it throws is thrown. */
  @SuppressWarnings("unchecked")
  static <T> T call(Object of, String name, Object... arguments) {
    Class<?> type = of instanceof Class<?> itself ? itself : of.getClass();
    try {
      return (T) method(type, name, arguments.length).invoke(of, arguments);
    } catch (InvocationTargetException failure) {
      throw Hidden.<RuntimeException>sneaky(failure.getCause());
    } catch (IllegalAccessException failure) {
      throw new IllegalStateException(failure);
    }
  }

  static Object make(String type) {
    try {
      Constructor<?> made = Class.forName(type).getDeclaredConstructor();
      made.setAccessible(true);
      return made.newInstance();
    } catch (ReflectiveOperationException failure) {
      throw new IllegalStateException(failure);
    }
  }

  private static Field field(Class<?> type, String name) {
    for (Class<?> at = type; at != null; at = at.getSuperclass()) {
      try {
        Field field = at.getDeclaredField(name);
        field.setAccessible(true);
        return field;
      } catch (NoSuchFieldException ignored) {
        // It may be the parent's.
      }
    }
    throw new IllegalStateException(type + " has no field " + name);
  }

  private static Method method(Class<?> type, String name, int parameters) {
    for (Class<?> at = type; at != null; at = at.getSuperclass()) {
      for (Method method : at.getDeclaredMethods()) {
        if (method.getName().equals(name) && method.getParameterCount() == parameters) {
          method.setAccessible(true);
          return method;
        }
      }
    }
    throw new IllegalStateException(type + " has no method " + name);
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> T sneaky(Throwable failure) throws T {
    throw (T) failure;
  }
}
