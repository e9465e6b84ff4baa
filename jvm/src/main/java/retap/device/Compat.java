package retap.device;

import android.content.Context;
import android.content.Intent;
import android.net.Uri;
import android.os.Build;
import android.provider.Browser;
import android.text.style.URLSpan;
import android.view.MenuItem;
import android.view.View;
import com.android.internal.view.menu.MenuBuilder;
import com.android.internal.view.menu.MenuPresenter;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

/** What an older Android did otherwise, for apps and recordings of its time. */
public final class Compat {
  private Compat() {}

  private static boolean isKitKat() {
    return SystemServer.get().compat() == Build.VERSION_CODES.KITKAT;
  }

  /** The exception passed when nobody opens a link; later versions only log it. */
  @Implements(className = "android.text.style.URLSpan")
  public static class Link {
    @RealObject private URLSpan span;

    @Implementation
    protected void onClick(View widget) {
      if (!isKitKat()) {
        Shadow.directlyOn(span, URLSpan.class, "onClick", ClassParameter.from(View.class, widget));
        return;
      }
      Context context = widget.getContext();
      Intent view = new Intent(Intent.ACTION_VIEW, Uri.parse(span.getURL()));
      view.putExtra(Browser.EXTRA_APPLICATION_ID, context.getPackageName());
      context.startActivity(view);
    }
  }

  /** A menu closed when a menu in it opened; later versions keep it open. */
  @Implements(className = "com.android.internal.view.menu.MenuBuilder")
  public static class Menu {
    @RealObject private MenuBuilder menu;

    @Implementation
    protected boolean performItemAction(MenuItem item, MenuPresenter preferred, int flags) {
      if (isKitKat() && item != null && item.isEnabled() && item.hasSubMenu()) {
        menu.close(false);
      }
      return Shadow.directlyOn(
          menu,
          MenuBuilder.class,
          "performItemAction",
          ClassParameter.from(MenuItem.class, item),
          ClassParameter.from(MenuPresenter.class, preferred),
          ClassParameter.from(int.class, flags));
    }
  }
}
