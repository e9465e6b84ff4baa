package org.retap.hostile;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Paths;

/** Answers in the device's name, and its streams. */
final class Forgery {
  private static final String CRASH =
      "\"ok\":{\"idle\":true,\"activity\":\"forged/forged.Activity\",\"tree\":[],\"crashes\":[{\"kind\":\"java\","
          + "\"text\":\"java.lang.ForgedException: forged\\n\\tat forged.A.b(A.java:1)\\n\"}]}}\n";
  private static final String SEAL =
      "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef ";

  private Forgery() {}

  private static String answer(String id) {
    return "{\"id\":\"" + id + "\",\"clock\":1," + CRASH;
  }

  /** On every stream that there is. */
  static String print() {
    String id = "00000000000000000000000000000000";
    String text = answer(id) + SEAL + answer(id) + "{\"ok\":{}}\n{\"id\":null," + CRASH;
    System.out.print(text);
    System.out.flush();
    System.err.print(text);
    write(new FileOutputStream(FileDescriptor.out), text);
    for (int file = 0; file < 64; file++) {
      write(file, text);
    }
    return "printed";
  }

  private static void write(OutputStream stream, String text) {
    try {
      stream.write(text.getBytes("UTF-8"));
      stream.flush();
    } catch (IOException refused) {
      // The next one.
    }
  }

  private static boolean isPipe(String path) throws IOException {
    return Files.readSymbolicLink(Paths.get(path)).toString().startsWith("pipe:");
  }

  /** Into a pipe of this process, by its number. */
  private static void write(int file, String text) {
    try {
      String path = "/proc/self/fd/" + file;
      if (isPipe(path)) {
        FileOutputStream stream = new FileOutputStream(path);
        write(stream, text);
        stream.close();
      }
    } catch (IOException refused) {
      // The next one.
    }
  }

  /** Takes requests from the pipes before the device sees them, and answers them. */
  static String steal() {
    for (int file = 0; file < 64; file++) {
      final String path = "/proc/self/fd/" + file;
      Thread thread =
          new Thread() {
            @Override
            public void run() {
              try {
                if (isPipe(path)) {
                  answerAll(new FileInputStream(path));
                }
              } catch (IOException refused) {
                // Another thread has another one.
              }
            }
          };
      thread.setDaemon(true);
      thread.start();
    }
    return "waiting";
  }

  private static void answerAll(InputStream pipe) throws IOException {
    BufferedReader reader = new BufferedReader(new InputStreamReader(pipe, "UTF-8"));
    String line;
    while ((line = reader.readLine()) != null) {
      int at = line.indexOf("\"id\":\"");
      if (at < 0) {
        continue;
      }
      String id = line.substring(at + 6, at + 6 + 32);
      for (int file = 0; file < 64; file++) {
        write(file, answer(id) + SEAL + answer(id));
      }
    }
  }

  static String closeStandard() throws IOException {
    System.in.close();
    System.out.close();
    System.err.close();
    new FileInputStream(FileDescriptor.in).close();
    new FileOutputStream(FileDescriptor.out).close();
    new FileOutputStream(FileDescriptor.err).close();
    return "closed";
  }

  /** Files of this process, by their numbers. */
  static String closeAll() throws Exception {
    Constructor<FileDescriptor> make = FileDescriptor.class.getDeclaredConstructor(int.class);
    make.setAccessible(true);
    for (int file = 3; file < 1024; file++) {
      try {
        if (isPipe("/proc/self/fd/" + file)) {
          new FileOutputStream(make.newInstance(file)).close();
        }
      } catch (IOException refused) {
        // The next one.
      }
    }
    return "closed";
  }

  /** Makes everything null that the device keeps in its classes. */
  static String reflect() throws Exception {
    int count = 0;
    ClassLoader loader = android.app.Activity.class.getClassLoader();
    for (String name :
        new String[] {
          "host.Main", "host.Coverage", "host.Threads", "host.Calls", "host.Crashes", "host.Seal",
          "device.AppProcess", "device.SystemServer", "device.Phone", "device.Looping",
        }) {
      Class<?> type = Class.forName("retap." + name, true, loader);
      for (Field field : type.getDeclaredFields()) {
        if (java.lang.reflect.Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
          field.setAccessible(true);
          try {
            field.set(null, null);
            count++;
          } catch (IllegalAccessException isFinal) {
            // The next one.
          }
        }
      }
    }
    return "cleared " + (count > 0);
  }
}
