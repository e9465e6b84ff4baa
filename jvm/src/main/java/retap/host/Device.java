package retap.host;

import com.google.gson.JsonObject;
import java.io.IOException;

/**
 * What runs inside the sandbox, as seen from outside. All of it is called on the sandbox's main
 * thread, but for the clock.
 */
public interface Device {
  JsonObject open() throws IOException;

  void reset(long seed) throws IOException;

  void perform(JsonObject event) throws IOException;

  boolean settle(long micros) throws IOException;

  JsonObject look(boolean tree) throws IOException;

  byte[] screenshot() throws IOException;

  /** The device's clock in microseconds. */
  long clock();

  /** When the next message is due on a thread other than the main one, in nanoseconds. */
  long nextMessage();

  /** Sets the clock forward, to so many nanoseconds or a little more. */
  void advanceTo(long nanos);
}
