package org.retap.phonelike;

import android.app.Service;
import android.content.Intent;
import android.os.IBinder;

/** It counts how often it is started. */
public final class EarlyService extends Service {
  static int started;

  @Override
  public int onStartCommand(Intent intent, int flags, int id) {
    started++;
    return START_NOT_STICKY;
  }

  @Override
  public IBinder onBind(Intent intent) {
    return null;
  }
}
