package retap.device;

import android.app.PendingIntent;
import android.content.Context;
import android.content.Intent;
import android.os.Bundle;
import android.os.Handler;
import android.os.Looper;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadows.ShadowPendingIntent;

/** An intent that is sent later: it goes where one goes that the app sends itself. */
@Implements(className = "android.app.PendingIntent")
public class SentIntent extends ShadowPendingIntent {
  @RealObject private PendingIntent real;

  @Override
  @Implementation
  protected void send(
      Context context,
      int code,
      Intent more,
      PendingIntent.OnFinished finished,
      Handler handler,
      String permission,
      Bundle options)
      throws PendingIntent.CanceledException {
    if (isCanceled()) {
      throw new PendingIntent.CanceledException();
    }
    Intent last = null;
    for (Intent saved : getSavedIntents()) {
      last = new Intent(saved);
      if (more != null && !isImmutable()) {
        last.fillIn(more, getFlags());
      }
      start(last);
    }
    if ((getFlags() & PendingIntent.FLAG_ONE_SHOT) != 0) {
      cancel();
    }
    if (finished != null) {
      Intent sent = last;
      Handler on = handler == null ? new Handler(Looper.getMainLooper()) : handler;
      on.post(() -> finished.onSendFinished(real, sent, code, null, null));
    }
  }

  private void start(Intent intent) {
    Context from = getSavedContext().getApplicationContext();
    if (isBroadcastIntent()) {
      from.sendBroadcast(intent);
    } else if (isForegroundServiceIntent()) {
      from.startForegroundService(intent);
    } else if (isServiceIntent()) {
      from.startService(intent);
    } else {
      from.startActivity(intent.addFlags(Intent.FLAG_ACTIVITY_NEW_TASK));
    }
  }
}
