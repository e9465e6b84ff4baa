package org.retap.phonelike;

import android.os.AsyncTask;
import android.os.Handler;
import android.os.Message;
import android.util.SparseArray;
import java.util.concurrent.CountDownLatch;

/** What apps for an earlier Android may do, and others may not. */
public final class Older {
  private Older() {}

  /** The message is still on its way. */
  static String recycled() {
    Handler handler = new Handler();
    Message message = Message.obtain(handler);
    handler.sendMessage(message);
    message.recycle();
    return "recycled";
  }

  static String behindTheLast() {
    SparseArray<String> one = new SparseArray<String>();
    one.put(1, "one");
    return "found " + one.valueAt(1);
  }

  /** A task that waits for the next: before Android 3.2 they were done side by side. */
  static void sideBySide(final CheckActivity activity) {
    final CountDownLatch latch = new CountDownLatch(1);
    new AsyncTask<Void, Void, Void>() {
      @Override
      protected Void doInBackground(Void... nothing) {
        try {
          latch.await();
        } catch (InterruptedException ended) {
          return null;
        }
        return null;
      }

      @Override
      protected void onPostExecute(Void nothing) {
        activity.show("side by side");
      }
    }.execute();
    new AsyncTask<Void, Void, Void>() {
      @Override
      protected Void doInBackground(Void... nothing) {
        latch.countDown();
        return null;
      }
    }.execute();
  }
}
