package retap.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

class KeyboardLayoutTest {
  @Test
  void lettersAreWherePhonesHaveThem() {
    assertEquals("q", KeyboardLayout.LETTERS.key(0.01f, 0.1f));
    assertEquals("p", KeyboardLayout.LETTERS.key(0.99f, 0.1f));
    assertEquals("a", KeyboardLayout.LETTERS.key(0.1f, 0.3f));
    assertEquals(KeyboardLayout.DELETE, KeyboardLayout.LETTERS.key(0.95f, 0.6f));
    assertEquals(" ", KeyboardLayout.LETTERS.key(0.5f, 0.9f));
    assertEquals(KeyboardLayout.ENTER, KeyboardLayout.LETTERS.key(0.95f, 0.99f));
  }

  @Test
  void thereIsNothingBesideTheSecondRow() {
    assertNull(KeyboardLayout.LETTERS.key(0.01f, 0.3f));
    assertNull(KeyboardLayout.LETTERS.key(0.99f, 0.3f));
  }

  @Test
  void digitsAreInTheirOrder() {
    assertEquals("1", KeyboardLayout.NUMBERS.key(0.1f, 0.1f));
    assertEquals("9", KeyboardLayout.NUMBERS.key(0.7f, 0.6f));
    assertEquals("0", KeyboardLayout.NUMBERS.key(0.4f, 0.9f));
  }
}
