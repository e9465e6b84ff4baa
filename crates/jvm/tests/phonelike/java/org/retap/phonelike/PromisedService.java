package org.retap.phonelike;

import android.app.Notification;
import android.app.Service;
import android.content.Context;
import android.content.Intent;
import android.os.IBinder;

/** It comes to the foreground where its intent says so, and ends itself where that says so. */
public final class PromisedService extends Service {
  static void start(Context context, String action) {
    context.startForegroundService(new Intent(action, null, context, PromisedService.class));
  }

  @Override
  public int onStartCommand(Intent intent, int flags, int id) {
    if ("keeps".equals(intent.getAction())) {
      startForeground(1, new Notification.Builder(this, "channel").build());
    }
    if ("stops".equals(intent.getAction())) {
      stopSelf();
    }
    return START_NOT_STICKY;
  }

  @Override
  public IBinder onBind(Intent intent) {
    return null;
  }
}
