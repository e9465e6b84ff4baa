package retap.host;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What proves that a request comes from retap and an answer from here: a keyed hash in front of it.
 */
final class Seal {
  private static final int DIGITS = 64;

  private final Mac mac;
  private long last;

  Seal(JsonObject with) {
    try {
      mac = Mac.getInstance("HmacSHA256");
      byte[] key = HexFormat.of().parseHex(with.get("key").getAsString());
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** The request of a line; null when it is none, or one that was there before. */
  JsonObject request(String line) {
    if (line.length() <= DIGITS) {
      return null;
    }
    String text = line.substring(DIGITS + 1);
    if (!line.startsWith(of("asks", text))) {
      return null;
    }
    JsonObject request = JsonParser.parseString(text).getAsJsonObject();
    long number = request.get("number").getAsLong();
    if (number <= last) {
      return null;
    }
    last = number;
    return request;
  }

  /** The answer as a line. */
  String line(JsonObject answer) {
    String text = answer.toString();
    return of("answers", text) + " " + text + "\n";
  }

  private String of(String side, String text) {
    byte[] seal = mac.doFinal((side + text).getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(seal);
  }
}
