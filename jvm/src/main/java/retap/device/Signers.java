package retap.device;

import android.content.pm.PackageInfo;
import android.content.pm.PackageManager;
import android.content.pm.PackageParser;
import android.content.pm.PackageParser.SigningDetails;
import android.content.pm.PackageParser.SigningDetails.SignatureSchemeVersion;
import android.content.pm.Signature;
import android.content.pm.SigningInfo;
import android.util.ArraySet;
import android.util.apk.ApkSignatureVerifier;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import java.util.Enumeration;
import java.util.Locale;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Who has signed the app. Phones compare that with what is signed; here it is only told, as the
 * file says it.
 */
final class Signers {
  private final Path apk;
  private SigningDetails known;

  Signers(Path apk) {
    this.apk = apk;
  }

  /** Adds what was asked for. */
  @SuppressWarnings("deprecation")
  void tell(PackageInfo info, int flags) {
    if ((flags & PackageManager.GET_SIGNATURES) != 0) {
      info.signatures = details().signatures.clone();
    }
    if ((flags & PackageManager.GET_SIGNING_CERTIFICATES) != 0) {
      info.signingInfo = new SigningInfo(details());
    }
  }

  private synchronized SigningDetails details() {
    if (known == null) {
      known = read();
    }
    return known;
  }

  private SigningDetails read() {
    try {
      // Android's own code, for all but the signatures that Java archives have.
      return ApkSignatureVerifier.unsafeGetCertsWithoutVerification(
          apk.toString(), SignatureSchemeVersion.SIGNING_BLOCK_V2);
    } catch (PackageParser.PackageParserException without) {
      return ofArchive();
    }
  }

  private SigningDetails ofArchive() {
    try (ZipFile archive = new ZipFile(apk.toFile())) {
      Enumeration<? extends ZipEntry> entries = archive.entries();
      while (entries.hasMoreElements()) {
        ZipEntry entry = entries.nextElement();
        if (isSignature(entry.getName().toUpperCase(Locale.ROOT))) {
          try (InputStream block = archive.getInputStream(entry)) {
            return of(block);
          }
        }
      }
      return ofNobody();
    } catch (IOException | GeneralSecurityException unreadable) {
      return ofNobody();
    }
  }

  private static boolean isSignature(String name) {
    return name.startsWith("META-INF/")
        && (name.endsWith(".RSA") || name.endsWith(".DSA") || name.endsWith(".EC"));
  }

  /** An app that nobody has signed, which no phone would install, has a fixed signer here. */
  private static SigningDetails ofNobody() {
    try (InputStream fixed = Signers.class.getResourceAsStream("/retap/unsigned.pem")) {
      return of(fixed);
    } catch (IOException | GeneralSecurityException never) {
      throw new IllegalStateException(never);
    }
  }

  private static SigningDetails of(InputStream certificates)
      throws IOException, GeneralSecurityException {
    Collection<? extends Certificate> all =
        CertificateFactory.getInstance("X.509").generateCertificates(certificates);
    if (all.isEmpty()) {
      throw new IOException("there is no certificate");
    }
    // The signer's own comes first.
    Certificate signer = all.iterator().next();
    ArraySet<java.security.PublicKey> keys = new ArraySet<>();
    keys.add(signer.getPublicKey());
    return new SigningDetails(
        new Signature[] {new Signature(signer.getEncoded())},
        SignatureSchemeVersion.JAR,
        keys,
        null);
  }
}
