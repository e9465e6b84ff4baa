package retap.device;

import android.database.IContentObserver;
import android.net.Uri;
import android.os.RemoteException;
import java.util.ArrayList;
import java.util.List;

/** Who wants to hear of changes of content: what {@code IContentService} answers. */
final class ContentObservers {
  private final List<Registered> observers = new ArrayList<>();

  private record Registered(Uri uri, boolean below, IContentObserver observer) {
    boolean hears(Uri changed) {
      String mine = uri.toString();
      String other = changed.toString();
      return other.equals(mine)
          || below && other.startsWith(mine.endsWith("/") ? mine : mine + "/")
          || mine.startsWith(other.endsWith("/") ? other : other + "/");
    }
  }

  synchronized void registerContentObserver(
      Uri uri, boolean below, IContentObserver observer, int userHandle, int targetSdk) {
    observers.add(new Registered(uri, below, observer));
  }

  synchronized void unregisterContentObserver(IContentObserver observer) {
    observers.removeIf(known -> known.observer.asBinder() == observer.asBinder());
  }

  synchronized void notifyChange(
      Uri uri,
      IContentObserver by,
      boolean wantsOwn,
      int flags,
      int userHandle,
      int targetSdk,
      String callingPackage)
      throws RemoteException {
    for (Registered known : new ArrayList<>(observers)) {
      boolean own = by != null && known.observer.asBinder() == by.asBinder();
      if (known.hears(uri) && (!own || wantsOwn)) {
        known.observer.onChange(own, uri, userHandle);
      }
    }
  }
}
