package retap.host;

import java.security.KeyStoreException;
import java.security.NoSuchProviderException;

/** The keys that a phone keeps in its hardware. This device has none, and says so. */
final class PhoneKeys {
  private static final String NAME = "AndroidKeyStore";
  private static final String SAID = NAME + " is not supported by this device";

  private PhoneKeys() {}

  static boolean isMeant(String name) {
    return NAME.equals(name);
  }

  static KeyStoreException noStore() {
    note();
    return new KeyStoreException(SAID);
  }

  static NoSuchProviderException noProvider() {
    note();
    return new NoSuchProviderException(SAID);
  }

  private static void note() {
    Notes.add("the app asked for " + NAME + ", which this device does not have");
  }
}
