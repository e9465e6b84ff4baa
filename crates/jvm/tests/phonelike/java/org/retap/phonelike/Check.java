package org.retap.phonelike;

import android.Manifest;
import android.app.ActivityManager;
import android.content.ComponentName;
import android.content.Intent;
import android.content.pm.PackageManager;
import android.database.Cursor;
import android.database.CursorWrapper;
import android.database.sqlite.SQLiteDatabase;
import android.net.Uri;
import android.net.wifi.WifiManager;
import android.os.AsyncTask;
import android.os.Environment;
import android.os.Handler;
import android.os.PowerManager;
import android.os.StrictMode;
import android.os.SystemClock;
import android.provider.ContactsContract;
import android.provider.MediaStore;
import android.text.SpannableString;
import android.text.method.LinkMovementMethod;
import android.text.style.URLSpan;
import android.view.View;
import android.widget.AdapterView;
import android.widget.ArrayAdapter;
import android.widget.Spinner;
import android.widget.TextView;
import java.io.BufferedReader;
import java.io.File;
import java.io.FileReader;
import java.io.FileWriter;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.TimeZone;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** What an app may ask of a phone. What it returns is shown; null shows nothing. */
enum Check {
  cores {
    @Override
    String run(CheckActivity activity) {
      int count = 0;
      for (String name : new File("/sys/devices/system/cpu").list()) {
        if (name.matches("cpu[0-9]+")) {
          count++;
        }
      }
      return count + " cores";
    }
  },
  memory {
    @Override
    String run(CheckActivity activity) throws IOException {
      return firstLine(new File("/proc/meminfo"));
    }
  },
  storage {
    @Override
    String run(CheckActivity activity) throws IOException {
      File file = new File(Environment.getExternalStorageDirectory(), "note.txt");
      FileWriter writer = new FileWriter(file);
      writer.write("kept");
      writer.close();
      return Environment.getExternalStorageState() + " " + firstLine(file);
    }
  },
  media {
    @Override
    String run(CheckActivity activity) {
      return rows(activity, MediaStore.Images.Media.EXTERNAL_CONTENT_URI);
    }
  },
  contacts {
    @Override
    String run(CheckActivity activity) {
      try {
        return rows(activity, ContactsContract.Contacts.CONTENT_URI);
      } catch (SecurityException denied) {
        return "denied";
      }
    }
  },
  spinner {
    @Override
    String run(final CheckActivity activity) {
      final Spinner spinner = new Spinner(activity);
      String[] lines = {"one", "two", "three"};
      spinner.setAdapter(
          new ArrayAdapter<String>(activity, android.R.layout.simple_spinner_item, lines));
      spinner.setOnItemSelectedListener(
          new AdapterView.OnItemSelectedListener() {
            private String told = "";

            @Override
            public void onItemSelected(AdapterView<?> parent, View view, int position, long id) {
              told += " " + position;
              activity.show("told" + told);
              if (position == 0) {
                spinner.setSelection(1);
              }
            }

            @Override
            public void onNothingSelected(AdapterView<?> parent) {}
          });
      activity.add(spinner);
      return null;
    }
  },
  upper {
    @Override
    String run(CheckActivity activity) {
      activity.startActivity(new Intent(activity, UpperActivity.class));
      return "below";
    }
  },
  list {
    @Override
    String run(CheckActivity activity) {
      activity.startActivity(new Intent(activity, FocusActivity.class));
      return null;
    }
  },
  field {
    @Override
    String run(CheckActivity activity) {
      Intent field = new Intent(activity, FocusActivity.class);
      activity.startActivity(field.putExtra(FocusActivity.FIELD, true));
      return null;
    }
  },
  browser {
    @Override
    String run(CheckActivity activity) {
      activity.startActivity(new Intent(Intent.ACTION_VIEW, Uri.parse("http://example.org/")));
      return "asked";
    }
  },
  takers {
    @Override
    String run(CheckActivity activity) {
      PackageManager manager = activity.getPackageManager();
      Intent page = new Intent(Intent.ACTION_VIEW, Uri.parse("http://example.org/"));
      Intent place = new Intent(Intent.ACTION_VIEW, Uri.parse("geo:47.6,-122.3"));
      return manager.queryIntentActivities(page, 0).size()
          + " for a page, "
          + manager.queryIntentActivities(place, 0).size()
          + " for a place";
    }
  },
  picked {
    @Override
    String run(CheckActivity activity) {
      Intent pick = new Intent(Intent.ACTION_GET_CONTENT).setType("text/plain");
      activity.startActivityForResult(Intent.createChooser(pick, "a file"), 1);
      return null;
    }
  },
  switched {
    @Override
    String run(CheckActivity activity) {
      ComponentName hidden = new ComponentName(activity, SwitchedActivity.class);
      activity
          .getPackageManager()
          .setComponentEnabledSetting(
              hidden,
              PackageManager.COMPONENT_ENABLED_STATE_ENABLED,
              PackageManager.DONT_KILL_APP);
      activity.startActivity(new Intent().setComponent(hidden));
      return null;
    }
  },
  early {
    @Override
    String run(CheckActivity activity) {
      return EarlyService.started + " started";
    }
  },
  promiseKept {
    @Override
    String run(CheckActivity activity) {
      PromisedService.start(activity, "keeps");
      return "promised";
    }
  },
  promiseBroken {
    @Override
    String run(CheckActivity activity) {
      PromisedService.start(activity, "breaks");
      return "promised";
    }
  },
  promiseDropped {
    @Override
    String run(CheckActivity activity) {
      PromisedService.start(activity, "stops");
      return "promised";
    }
  },
  running {
    @Override
    String run(CheckActivity activity) {
      ActivityManager manager = activity.getSystemService(ActivityManager.class);
      return manager.getRunningTasks(1).get(0).topActivity.getShortClassName()
          + " "
          + manager.getRunningServices(9).get(0).service.getShortClassName();
    }
  },
  late {
    @Override
    String run(final CheckActivity activity) {
      final Handler main = new Handler();
      new Thread() {
        @Override
        public void run() {
          // Longer than anybody waits for it, and deaf to being interrupted.
          double sum = 0;
          for (int step = 0; step < 150_000_000; step++) {
            sum += Math.tan(step);
          }
          final double result = sum;
          main.post(
              new Runnable() {
                @Override
                public void run() {
                  throw new IllegalStateException("late: " + result);
                }
              });
        }
      }.start();
      return "begun";
    }
  },
  drawn {
    @Override
    String run(CheckActivity activity) {
      activity.add(new DrawnView(activity));
      return null;
    }
  },
  link {
    @Override
    String run(CheckActivity activity) {
      SpannableString place = new SpannableString("where it is");
      place.setSpan(new URLSpan("geo:47.6,-122.3"), 0, place.length(), 0);
      TextView view = new TextView(activity);
      view.setText(place);
      view.setMovementMethod(LinkMovementMethod.getInstance());
      activity.add(view);
      return "linked";
    }
  },
  phonesClass {
    @Override
    String run(CheckActivity activity) {
      throw new NoClassDefFoundError("com/google/android/maps/MapActivity");
    }
  },
  phonesClassByName {
    @Override
    String run(CheckActivity activity) throws Exception {
      return Class.forName("com.google.android.maps.MapActivity").getName();
    }
  },
  nobodysClass {
    @Override
    String run(CheckActivity activity) {
      throw new NoClassDefFoundError("org/retap/nowhere/Missing");
    }
  },
  nobodysClassByName {
    @Override
    String run(CheckActivity activity) throws Exception {
      return Class.forName("org.retap.nowhere.Missing").getName();
    }
  },
  newerPart {
    @Override
    String run(CheckActivity activity) {
      return new org.apache.http.entity.mime.NewerPart().toString();
    }
  },
  settings {
    @Override
    String run(CheckActivity activity) {
      Thread.setDefaultUncaughtExceptionHandler(new Handlers.Swallower());
      TimeZone.setDefault(TimeZone.getTimeZone("Asia/Tokyo"));
      Locale.setDefault(Locale.JAPAN);
      System.setProperty("phonelike", "changed");
      return "set";
    }
  },
  untouched {
    @Override
    String run(CheckActivity activity) {
      boolean own = Thread.getDefaultUncaughtExceptionHandler() instanceof Handlers.Swallower;
      String zone = TimeZone.getDefault().getID();
      return own + " " + System.getProperty("phonelike") + " " + zone.startsWith("Asia");
    }
  },
  thrown {
    @Override
    String run(CheckActivity activity) {
      new Thread() {
        @Override
        public void run() {
          throw new IllegalStateException("on a thread of its own");
        }
      }.start();
      return "thrown";
    }
  },
  ofClass {
    @Override
    String run(CheckActivity activity) {
      Handlers.ofClass();
      return "thrown";
    }
  },
  ofGroup {
    @Override
    String run(CheckActivity activity) {
      Handlers.ofGroup();
      return "thrown";
    }
  },
  ofAnswer {
    @Override
    String run(CheckActivity activity) {
      Handlers.ofAnswer();
      return "thrown";
    }
  },
  ofPool {
    @Override
    String run(CheckActivity activity) {
      Handlers.ofPool();
      return "thrown";
    }
  },
  ofCommonPool {
    @Override
    String run(CheckActivity activity) {
      Handlers.ofCommonPool();
      return "thrown";
    }
  },
  toldByTheApp {
    @Override
    String run(CheckActivity activity) {
      Handlers.toldByTheApp();
      return "told";
    }
  },
  inherits {
    @Override
    String run(CheckActivity activity) {
      Handlers.sleepByInheritance(activity);
      return "asleep";
    }
  },
  factories {
    @Override
    String run(CheckActivity activity) throws IOException {
      Globals.setFactories();
      return "set";
    }
  },
  globals {
    @Override
    String run(CheckActivity activity) throws Exception {
      Globals.set();
      return Globals.found();
    }
  },
  found {
    @Override
    String run(CheckActivity activity) throws Exception {
      return Globals.found();
    }
  },
  wakeLock {
    @Override
    String run(CheckActivity activity) {
      PowerManager manager = activity.getSystemService(PowerManager.class);
      manager.newWakeLock(PowerManager.PARTIAL_WAKE_LOCK, "phonelike:lock").release();
      return "released";
    }
  },
  wifiLock {
    @Override
    String run(CheckActivity activity) {
      activity.getApplicationContext().getSystemService(WifiManager.class).createWifiLock("lock").release();
      return "released";
    }
  },
  linkage {
    @Override
    String run(CheckActivity activity) {
      throw new LinkageError("as after an UnsatisfiedLinkError");
    }
  },
  unlinked {
    @Override
    String run(CheckActivity activity) {
      throw new UnsatisfiedLinkError("by the app itself");
    }
  },
  unlinkedAgain {
    @Override
    String run(CheckActivity activity) {
      try {
        System.loadLibrary("phonelike");
        return "loaded";
      } catch (UnsatisfiedLinkError missing) {
        throw new UnsatisfiedLinkError("it needs more than this: " + missing.getMessage());
      }
    }
  },
  managed {
    @Override
    @SuppressWarnings("deprecation")
    String run(CheckActivity activity) {
      SQLiteDatabase database = SQLiteDatabase.create(null);
      Cursor cursor = new CursorWrapper(database.rawQuery("select 1 as _id", null));
      activity.startManagingCursor(cursor);
      cursor.close();
      activity.startActivity(new Intent(activity, UpperActivity.class));
      return null;
    }
  },
  asleep {
    @Override
    String run(CheckActivity activity) throws InterruptedException {
      new Thread() {
        @Override
        public void run() {
          try {
            Thread.sleep(Long.MAX_VALUE);
          } catch (InterruptedException ended) {
            return;
          }
        }
      }.start();
      long before = SystemClock.uptimeMillis();
      TimeUnit.SECONDS.sleep(3);
      return "slept " + (SystemClock.uptimeMillis() - before) / 1000;
    }
  },
  waits {
    @Override
    String run(CheckActivity activity) throws Exception {
      return Waiting.all();
    }
  },
  handedToAndroid {
    @Override
    String run(CheckActivity activity) {
      Handed.toAndroid(activity);
      return null;
    }
  },
  /** What is begun by others comes behind what is done here, one after the other. */
  handed {
    @Override
    String run(final CheckActivity activity) {
      final List<String> order = Collections.synchronizedList(new ArrayList<String>());
      for (int number = 1; number <= 3; number++) {
        new Thread(adding(order, "thread " + number)).start();
      }
      Executors.newSingleThreadExecutor().execute(adding(order, "pool"));
      new AsyncTask<Void, Void, Void>() {
        @Override
        protected Void doInBackground(Void... nothing) {
          adding(order, "task").run();
          return null;
        }

        @Override
        protected void onPostExecute(Void nothing) {
          activity.show(order.toString());
        }
      }.execute();
      double sum = 0;
      for (int step = 0; step < 2_000_000; step++) {
        sum += Math.tan(step);
      }
      order.add(sum == 0 ? "nobody" : "main");
      return null;
    }

    private Runnable adding(final List<String> order, final String name) {
      return new Runnable() {
        @Override
        public void run() {
          order.add(name);
        }
      };
    }
  },
  /** Two for one thread, and the process ends while it does the first. */
  queued {
    @Override
    String run(final CheckActivity activity) {
      ExecutorService pool = Executors.newSingleThreadExecutor();
      pool.execute(
          new Runnable() {
            @Override
            public void run() {
              SystemClock.sleep(60_000);
            }
          });
      pool.execute(
          new Runnable() {
            @Override
            public void run() {
              new File(activity.getFilesDir(), "second").mkdir();
            }
          });
      return "queued";
    }
  },
  /** Crash reporters say it in their own words, and hand that on. */
  reworded {
    @Override
    String run(CheckActivity activity) {
      Handlers.setRewording();
      throw new IllegalStateException("on the main thread");
    }
  },
  rewordedElsewhere {
    @Override
    String run(CheckActivity activity) {
      Handlers.setRewording();
      Handlers.fail();
      return "failed";
    }
  },
  momentary {
    @Override
    String run(CheckActivity activity) throws Exception {
      File folder = new File(System.getProperty("java.io.tmpdir"));
      boolean made = new File(folder, "own").createNewFile();
      boolean listed = new File("/tmp").list() != null;
      return folder.equals(activity.getCacheDir()) + " " + made + " " + listed;
    }
  },
  strict {
    @Override
    String run(CheckActivity activity) {
      String before = StrictMode.getVmPolicy().toString() + StrictMode.getThreadPolicy();
      StrictMode.setVmPolicy(new StrictMode.VmPolicy.Builder().detectAll().penaltyLog().build());
      StrictMode.setThreadPolicy(
          new StrictMode.ThreadPolicy.Builder().detectAll().penaltyLog().build());
      return before + View.generateViewId();
    }
  },
  /** The system ends the process, and says nothing that a crash would say. */
  strictEnd {
    @Override
    String run(CheckActivity activity) {
      StrictMode.setVmPolicy(
          new StrictMode.VmPolicy.Builder().detectFileUriExposure().penaltyDeath().build());
      activity.startActivity(
          new Intent(MediaStore.ACTION_IMAGE_CAPTURE)
              .putExtra(MediaStore.EXTRA_OUTPUT, Uri.fromFile(new File("/sdcard/a.jpg")))
              .setData(Uri.fromFile(new File("/sdcard/a.jpg"))));
      return "exposed";
    }
  },
  begun {
    @Override
    String run(CheckActivity activity) {
      return new File(activity.getFilesDir(), "second").exists() ? "begun" : "not begun";
    }
  },
  latched {
    @Override
    String run(CheckActivity activity) throws Exception {
      Waiting.latch(100).await();
      return "latched";
    }
  },
  deadlocked {
    @Override
    String run(CheckActivity activity) throws Exception {
      Waiting.deadlock();
      return "met";
    }
  },
  rowTwice {
    @Override
    String run(CheckActivity activity) {
      SQLiteDatabase database = SQLiteDatabase.create(null);
      database.execSQL("create table t (id integer primary key)");
      database.execSQL("insert into t values (1)");
      database.execSQL("insert into t values (1)");
      return "twice";
    }
  },
  noAsset {
    @Override
    String run(CheckActivity activity) throws IOException {
      return "" + activity.getAssets().open("none").read();
    }
  },
  nameless {
    @Override
    String run(CheckActivity activity) {
      throw new Nameless();
    }
  },
  ring {
    @Override
    String run(CheckActivity activity) {
      IllegalStateException first = new IllegalStateException("first");
      first.initCause(new IllegalStateException("second", first));
      throw first;
    }
  },
  forged {
    @Override
    String run(CheckActivity activity) {
      throw new UnsupportedOperationException(
          "x\n\tat nowhere.Other" + new Random().nextInt() + ".m(Other.java:2)\nCaused by: a.B: c");
    }
  },
  ask {
    @Override
    String run(CheckActivity activity) {
      activity.requestPermissions(new String[] {Manifest.permission.CAMERA}, 1);
      return null;
    }
  },
  kept {
    @Override
    String run(CheckActivity activity) {
      boolean may =
          activity.checkSelfPermission(Manifest.permission.CAMERA)
              == PackageManager.PERMISSION_GRANTED;
      int minutes = (int) (SystemClock.elapsedRealtime() / 60_000);
      return may + " " + minutes + " " + new Random().nextInt();
    }
  },
  supportClass {
    @Override
    String run(CheckActivity activity) {
      throw new NoClassDefFoundError("android/support/v4/app/Fragment");
    }
  },
  exitDeep {
    @Override
    String run(CheckActivity activity) throws Exception {
      // As a method that a layout names is called.
      return "" + Endings.class.getMethod("exit").invoke(null);
    }
  },
  exitTask {
    @Override
    String run(CheckActivity activity) {
      Endings.exitInTask();
      return "asked";
    }
  },
  exitCaught {
    @Override
    String run(CheckActivity activity) {
      try {
        Endings.exit();
      } catch (Throwable caught) {
        return "caught";
      }
      return "went on";
    }
  },
  killed {
    @Override
    String run(CheckActivity activity) {
      android.os.Process.killProcess(android.os.Process.myPid() + 1);
      android.os.Process.killProcess(android.os.Process.myPid());
      return "went on";
    }
  },
  swallows {
    @Override
    String run(CheckActivity activity) throws Exception {
      Thread.setDefaultUncaughtExceptionHandler(new Handlers.Swallower());
      return thrown.run(activity);
    }
  },
  handsOn {
    @Override
    String run(CheckActivity activity) {
      Endings.handOn();
      throw new IllegalStateException("on the main thread");
    }
  },
  ofThread {
    @Override
    String run(CheckActivity activity) {
      Endings.withHandler(new Handlers.Swallower());
      return "thrown";
    }
  },
  tellsHandler {
    @Override
    String run(CheckActivity activity) {
      Thread here = Thread.currentThread();
      here.getUncaughtExceptionHandler()
          .uncaughtException(here, new IllegalStateException("told"));
      return "told";
    }
  },
  alarm {
    @Override
    String run(CheckActivity activity) {
      Endings.setAlarms(activity);
      return "set";
    }
  },
  ticks {
    @Override
    String run(CheckActivity activity) {
      Endings.tick(activity, 0);
      return "ticks";
    }
  },
  restless {
    @Override
    String run(CheckActivity activity) {
      Endings.repeat(new Handler());
      return "restless";
    }
  },
  survivor {
    @Override
    String run(CheckActivity activity) {
      Endings.survive(new File(activity.getFilesDir(), "survived"));
      return "begun";
    }
  },
  survived {
    @Override
    String run(CheckActivity activity) {
      return "" + new File(activity.getFilesDir(), "survived").exists();
    }
  },
  badView {
    @Override
    String run(CheckActivity activity) {
      activity.add(new PaintedView(activity, PaintedView.Fails.WHEN_ASKED));
      return "shown";
    }
  },
  badDrawing {
    @Override
    String run(CheckActivity activity) {
      activity.add(new PaintedView(activity, PaintedView.Fails.WHEN_DRAWN));
      return "shown";
    }
  },
  badPicture {
    @Override
    String run(CheckActivity activity) {
      activity.add(new PaintedView(activity, PaintedView.Fails.ON_A_PICTURE));
      return "shown";
    }
  },
  painted {
    @Override
    String run(CheckActivity activity) {
      activity.add(new PaintedView(activity, PaintedView.Fails.NEVER));
      return "not drawn";
    }
  },
  recycled {
    @Override
    String run(CheckActivity activity) {
      return Older.recycled();
    }
  },
  behind {
    @Override
    String run(CheckActivity activity) {
      return Older.behindTheLast();
    }
  },
  sideBySide {
    @Override
    String run(CheckActivity activity) {
      Older.sideBySide(activity);
      return "begun";
    }
  },
  exposed {
    @Override
    String run(CheckActivity activity) {
      Uri file = Uri.fromFile(new File(Environment.getExternalStorageDirectory(), "a.unknown"));
      activity.startActivity(new Intent(Intent.ACTION_VIEW, file));
      return "sent";
    }
  },
  exposedPicture {
    @Override
    String run(CheckActivity activity) {
      Uri file = Uri.fromFile(new File(Environment.getExternalStorageDirectory(), "a.jpg"));
      Intent camera = new Intent(MediaStore.ACTION_IMAGE_CAPTURE);
      activity.startActivityForResult(camera.putExtra(MediaStore.EXTRA_OUTPUT, file), 1);
      return "sent";
    }
  },
  ownFolders {
    @Override
    String run(CheckActivity activity) throws Exception {
      return Asked.folders(activity);
    }
  },
  battery {
    @Override
    String run(CheckActivity activity) throws Exception {
      return Asked.battery(activity);
    }
  },
  batteryTold {
    @Override
    String run(CheckActivity activity) throws Exception {
      Asked.tellOfBattery(activity);
      return null;
    }
  },
  icons {
    @Override
    String run(CheckActivity activity) throws Exception {
      return Asked.icons(activity);
    }
  },
  signers {
    @Override
    String run(CheckActivity activity) throws Exception {
      return Asked.signers(activity);
    }
  },
  volume {
    @Override
    String run(CheckActivity activity) throws Exception {
      return Asked.volume(activity);
    }
  },
  room {
    @Override
    String run(CheckActivity activity) throws Exception {
      return Asked.room(activity);
    }
  },
  homeScreen {
    @Override
    String run(CheckActivity activity) throws Exception {
      return Asked.homeScreen(activity);
    }
  },
  goHome {
    @Override
    String run(CheckActivity activity) throws Exception {
      activity.startActivity(Asked.home());
      return "asked";
    }
  },
  networks {
    @Override
    String run(CheckActivity activity) throws Exception {
      return Asked.networks(activity) + " found";
    }
  },
  brightness {
    @Override
    String run(CheckActivity activity) throws Exception {
      return Asked.brightness(activity);
    }
  },
  dates {
    @Override
    String run(CheckActivity activity) throws Exception {
      return Asked.dates();
    }
  },
  dialogLate {
    @Override
    String run(CheckActivity activity) throws Exception {
      Windows.showLate(activity);
      return null;
    }
  },
  dialogOfNobody {
    @Override
    String run(CheckActivity activity) throws Exception {
      Windows.showOf(activity.getApplicationContext());
      return "shown";
    }
  },
  popupOfNobody {
    @Override
    String run(CheckActivity activity) throws Exception {
      Windows.showPopup(activity.getApplicationContext());
      return "shown";
    }
  },
  dialog {
    @Override
    String run(CheckActivity activity) throws Exception {
      Windows.showWithMenu(activity);
      return null;
    }
  },
  noNotice {
    @Override
    String run(CheckActivity activity) throws Exception {
      Asked.notices(activity).notify(1, null);
      return "told";
    }
  },
  iconless {
    @Override
    String run(CheckActivity activity) throws Exception {
      Asked.tellWithoutIcon(activity);
      return "told";
    }
  },
  notice {
    @Override
    String run(CheckActivity activity) throws Exception {
      Asked.tell(activity);
      return Asked.notices(activity).getActiveNotifications().length + " told";
    }
  },
  noClip {
    @Override
    String run(CheckActivity activity) throws Exception {
      Asked.clipboard(activity).setPrimaryClip(null);
      return "copied";
    }
  },
  clip {
    @Override
    String run(CheckActivity activity) throws Exception {
      return Asked.copied(activity);
    }
  },
  bigExtra {
    @Override
    String run(CheckActivity activity) throws Exception {
      activity.startActivity(new Intent(activity, UpperActivity.class).putExtra("big", new byte[2 << 20]));
      return "sent";
    }
  },
  bigState {
    @Override
    String run(CheckActivity activity) throws Exception {
      activity.keep(new byte[2 << 20]);
      activity.startActivity(new Intent(activity, UpperActivity.class));
      return "sent";
    }
  },
  phonesKeys {
    @Override
    String run(CheckActivity activity) throws Exception {
      return Asked.keys();
    }
  },
  phonesKeyMaker {
    @Override
    String run(CheckActivity activity) throws Exception {
      return Asked.keyMaker();
    }
  };

  /** Does not say what it is. */
  private static final class Nameless extends RuntimeException {
    @Override
    public String toString() {
      return null;
    }

    @Override
    public String getMessage() {
      throw new IllegalStateException("there is none");
    }
  }

  abstract String run(CheckActivity activity) throws Exception;

  static String firstLine(File file) throws IOException {
    return firstLine(new FileReader(file));
  }

  static String firstLine(Reader from) throws IOException {
    BufferedReader reader = new BufferedReader(from);
    try {
      return reader.readLine();
    } finally {
      reader.close();
    }
  }

  private static String rows(CheckActivity activity, Uri of) {
    Cursor cursor = activity.getContentResolver().query(of, null, null, null, null);
    try {
      return cursor.getCount() + " rows";
    } finally {
      cursor.close();
    }
  }
}
