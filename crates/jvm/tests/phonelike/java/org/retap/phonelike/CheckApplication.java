package org.retap.phonelike;

import android.app.Application;
import android.content.Intent;

/** It starts a service before there is any activity. */
public final class CheckApplication extends Application {
  @Override
  public void onCreate() {
    super.onCreate();
    startService(new Intent(this, EarlyService.class));
  }
}
