package androidx.test.uiautomator;

import android.app.Instrumentation;
import android.os.RemoteException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import retap.tools.Phone;

/**
 * androidx.test.uiautomator 2.3.0, by its public API listing: the part that exported tests call.
 */
public class UiDevice implements Searchable {
  /** So many widgets fit every selector. */
  private static final int WIDGETS = 8;

  private UiDevice() {}

  public static UiDevice getInstance(Instrumentation instrumentation) {
    return new UiDevice();
  }

  public boolean click(int x, int y) {
    Phone.did("tap", "at", List.of(x, y));
    return true;
  }

  public String executeShellCommand(String cmd) throws IOException {
    return Phone.shell(cmd);
  }

  public List<UiObject2> findObjects(BySelector selector) {
    List<UiObject2> found = new ArrayList<>();
    for (int index = 0; index < WIDGETS; index++) {
      found.add(new UiObject2(selector.names, index));
    }
    return found;
  }

  public boolean pressHome() {
    return true;
  }

  public boolean pressKeyCode(int keyCode) {
    Phone.did("key", "code", keyCode);
    return true;
  }

  public void setOrientationLandscape() throws RemoteException {
    Phone.did("rotate", "to", "landscape");
  }

  public void setOrientationNatural() throws RemoteException {
    Phone.did("rotate", "to", "natural");
  }

  public void setOrientationPortrait() throws RemoteException {
    Phone.did("rotate", "to", "portrait");
  }

  public boolean swipe(int startX, int startY, int endX, int endY, int steps) {
    Phone.did("swipe", "at", List.of(startX, startY), "to", List.of(endX, endY), "steps", steps);
    return true;
  }

  public void unfreezeRotation() throws RemoteException {
    Phone.did("rotate", "to", "free");
  }

  public <U> U wait(SearchCondition<U> condition, long timeout) {
    return condition.apply(this);
  }

  public void waitForIdle() {}

  public void waitForIdle(long timeout) {}
}
