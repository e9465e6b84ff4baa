package org.apache.http.entity.mime;

/** In a package of the HTTP client that was a part of Android, but never a part of Android itself. */
public final class NewerPart {
  @Override
  public String toString() {
    return "of the app";
  }
}
