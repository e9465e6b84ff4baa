package retap.host;

import java.security.Provider;
import java.security.SecureRandom;
import java.security.SecureRandomSpi;
import java.util.Random;

/**
 * What the app gets for {@link SecureRandom}, and what its own ones are made of: dice that follow
 * the seed.
 */
public class SeededRandom extends SecureRandom {
  public SeededRandom() {
    super(new Dice(), null);
  }

  /** A seed of the app's adds to what there is, as it does in Java. */
  public SeededRandom(byte[] seed) {
    this();
  }

  /** Dice of the app's own. */
  protected SeededRandom(SecureRandomSpi own, Provider by) {
    super(own, by);
  }

  @Override
  public String getAlgorithm() {
    return "SHA1PRNG";
  }

  private static final class Dice extends SecureRandomSpi {
    private final Random random = new Random(Calls.seed());

    @Override
    protected void engineSetSeed(byte[] seed) {
      // What Java's own would add is unknown to the app as well.
    }

    @Override
    protected synchronized void engineNextBytes(byte[] bytes) {
      random.nextBytes(bytes);
    }

    @Override
    protected byte[] engineGenerateSeed(int count) {
      byte[] bytes = new byte[count];
      engineNextBytes(bytes);
      return bytes;
    }
  }
}
