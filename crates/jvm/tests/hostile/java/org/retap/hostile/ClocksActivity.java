package org.retap.hostile;

import android.app.Activity;
import android.os.Bundle;
import android.os.SystemClock;
import android.text.format.DateUtils;
import android.widget.LinearLayout;
import android.widget.TextView;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.chrono.IsoChronology;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.Collections;
import java.util.Date;
import java.util.GregorianCalendar;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TimeZone;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** Shows everything that differs from one moment and one process to the next. */
public final class ClocksActivity extends Activity {
  private LinearLayout column;

  /** It has no hash code of its own. */
  private static final class Thing {
    private final int number;

    Thing(int number) {
      this.number = number;
    }
  }

  /** It has none either, nor has Java's class. */
  private static final class OwnThread extends Thread {
    int inherited() {
      return super.hashCode();
    }
  }

  private static final class OwnFailure extends Exception {
    @Override
    public String toString() {
      return Integer.toString(hashCode());
    }
  }

  private static final class OwnCalendar extends GregorianCalendar {}

  private static final class OwnSecure extends SecureRandom {}

  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    column = new LinearLayout(this);
    column.setOrientation(LinearLayout.VERTICAL);
    time();
    try {
      chance();
    } catch (Exception failure) {
      throw new IllegalStateException(failure);
    }
    identity();
    setContentView(column);
  }

  private void time() {
    show("time millis", System.currentTimeMillis());
    show("time nanos", System.nanoTime());
    show("time date", new Date().getTime());
    show("time calendar", Calendar.getInstance().getTimeInMillis());
    show("time calendar of a place", Calendar.getInstance(Locale.US).getTimeInMillis());
    show("time gregorian", new GregorianCalendar(TimeZone.getTimeZone("UTC")).getTimeInMillis());
    show("time gregorian by its name", GregorianCalendar.getInstance().getTimeInMillis());
    show("time own calendar", new OwnCalendar().getTimeInMillis());
    show("time chronology", IsoChronology.INSTANCE.dateNow());
    show("time instant", Instant.now());
    show("time local date", LocalDate.now());
    show("time local time", LocalTime.now(ZoneId.of("Europe/Paris")));
    show("time local", LocalDateTime.now());
    show("time zoned", ZonedDateTime.now());
    show("time month", YearMonth.now());
    show("time clock", Clock.systemUTC().millis() + " " + Clock.tickSeconds(ZoneId.of("UTC")).millis());
    show("time uptime", SystemClock.uptimeMillis());
    show("time today", DateUtils.isToday(System.currentTimeMillis()));
  }

  private void chance() throws Exception {
    show("chance math", Math.random());
    show("chance random", new Random().nextLong());
    show("chance split", new SplittableRandom().nextLong());
    show("chance thread", ThreadLocalRandom.current().nextLong());
    show("chance uuid", UUID.randomUUID());
    show("chance secure", new SecureRandom().nextLong());
    show("chance own secure", new OwnSecure().nextLong());
    show("chance named", SecureRandom.getInstance("SHA1PRNG").nextLong());
    List<Integer> shuffled = new ArrayList<Integer>();
    for (int number = 0; number < 30; number++) {
      shuffled.add(number);
    }
    Collections.shuffle(shuffled);
    show("chance shuffled", shuffled);
    show("chance file", temporary());
    show("time file", written());
  }

  private String temporary() throws IOException {
    File file = File.createTempFile("clock", null, getCacheDir());
    return file.getName();
  }

  /** One of now, one of long ago, one that is the app itself, one that is not there. */
  private String written() throws IOException {
    File now = new File(getCacheDir(), "now");
    now.createNewFile();
    File old = new File(getCacheDir(), "old");
    old.createNewFile();
    old.setLastModified(1000);
    return now.lastModified()
        + " "
        + Files.getLastModifiedTime(now.toPath()).toMillis()
        + " "
        + (now.lastModified() == System.currentTimeMillis())
        + " "
        + old.lastModified()
        + " "
        + new File(getPackageCodePath()).lastModified()
        + " "
        + new File("/nothing").lastModified();
  }

  private void identity() {
    show("chance identity", System.identityHashCode(column));
    show("chance hash", new Thing(0).hashCode());
    Set<Thing> set = new HashSet<Thing>();
    for (int number = 0; number < 20; number++) {
      set.add(new Thing(number));
    }
    StringBuilder order = new StringBuilder();
    for (Thing thing : set) {
      order.append(thing.number).append(' ');
    }
    show("chance order", order);
    show("chance name", new Thing(0));
    show("chance hash of a thread", new OwnThread().hashCode() + " " + new OwnThread().inherited());
    show("chance name of a failure", System.identityHashCode(new OwnThread()) + " " + new OwnFailure());
  }

  private void show(String what, Object value) {
    TextView line = new TextView(this);
    line.setTextSize(8);
    line.setContentDescription(what);
    line.setText(String.valueOf(value));
    column.addView(line);
  }
}
