package retap.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import org.junit.jupiter.api.Test;

class SealTest {
  private static final JsonObject KEY = read("{\"key\":\"" + "00".repeat(32) + "\"}");

  /** As Python's hmac makes it, of the word asks and the object. */
  private static final String FIRST =
      "f174a2a2b5c9719d3bb9601a70c37f6493c5b025ae8c30c5d57399840c0665f3 {\"number\":1}";

  private static JsonObject read(String text) {
    return JsonParser.parseString(text).getAsJsonObject();
  }

  @Test
  void aRequestIsHeardOnceAndUnderItsSeal() {
    Seal seal = new Seal(KEY);
    assertEquals(read("{\"number\":1}"), seal.request(FIRST));
    assertNull(seal.request(FIRST), "a second time");
    Seal fresh = new Seal(KEY);
    assertNull(fresh.request("{\"number\":1}"));
    assertNull(fresh.request("0".repeat(64) + " {\"number\":1}"));
    assertNull(fresh.request(FIRST.replace("1}", "2}")));
    assertNull(fresh.request(fresh.line(read("{\"number\":1}")).trim()), "an answer is no request");
    assertNull(fresh.request(""));
  }
}
