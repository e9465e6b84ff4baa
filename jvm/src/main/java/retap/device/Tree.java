package retap.device;

import android.content.res.Resources;
import android.graphics.Rect;
import android.view.View;
import android.view.ViewGroup;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityNodeProvider;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;

/** The views of a window as uiautomator shows them. */
final class Tree {
  private final JsonArray nodes = new JsonArray();
  private final Rect clip;

  private Tree(Rect clip) {
    this.clip = clip;
  }

  static JsonArray of(View root, Screen screen) {
    Tree tree = new Tree(screen.whole());
    if (root != null) {
      tree.add(root, 0);
    }
    return tree.nodes;
  }

  private void add(View view, int depth) {
    AccessibilityNodeProvider drawn = view.getAccessibilityNodeProvider();
    AccessibilityNodeInfo host =
        drawn == null
            ? null
            : drawn.createAccessibilityNodeInfo(AccessibilityNodeProvider.HOST_VIEW_ID);
    AccessibilityNodeInfo info = AccessibilityNodeInfo.obtain();
    view.onInitializeAccessibilityNodeInfo(info);
    add(info, depth, id(view), bounds(view));
    if (host != null && host.getChildCount() > 0) {
      addDrawn(view, drawn, host, depth + 1);
    } else if (view instanceof ViewGroup group) {
      for (int at = 0; at < group.getChildCount(); at++) {
        addChild(group.getChildAt(at), depth + 1);
      }
    }
  }

  private void addChild(View child, int depth) {
    if (child.isShown() && !bounds(child).isEmpty()) {
      add(child, depth);
    }
  }

  /** What a view shows that has no views of its own for it, as in Compose. */
  private void addDrawn(
      View view, AccessibilityNodeProvider drawn, AccessibilityNodeInfo parent, int depth) {
    for (int at = 0; at < parent.getChildCount(); at++) {
      long child = parent.getChildId(at);
      int owner = AccessibilityNodeInfo.getAccessibilityViewId(child);
      if (owner != view.getAccessibilityViewId()) {
        View other = view.findViewByAccessibilityIdTraversal(owner);
        if (other != null) {
          addChild(other, depth);
        }
        continue;
      }
      AccessibilityNodeInfo info =
          drawn.createAccessibilityNodeInfo(AccessibilityNodeInfo.getVirtualDescendantId(child));
      if (info == null || !info.isVisibleToUser()) {
        continue;
      }
      Rect bounds = new Rect();
      info.getBoundsInScreen(bounds);
      if (bounds.intersect(clip)) {
        add(info, depth, info.getViewIdResourceName(), bounds);
        addDrawn(view, drawn, info, depth + 1);
      }
    }
  }

  private void add(AccessibilityNodeInfo info, int depth, String id, Rect bounds) {
    JsonObject node = new JsonObject();
    node.addProperty("depth", depth);
    text(node, "class", info.getClassName());
    text(node, "id", id);
    text(node, "text", info.getText());
    text(node, "desc", info.getContentDescription());
    if (info.getHintText() != null) {
      node.addProperty("hint", info.getHintText().toString());
    }
    JsonArray place = new JsonArray();
    place.add(bounds.left);
    place.add(bounds.top);
    place.add(bounds.right);
    place.add(bounds.bottom);
    node.add("bounds", place);
    node.add("flags", flags(info));
    nodes.add(node);
  }

  private Rect bounds(View view) {
    int[] at = new int[2];
    view.getLocationOnScreen(at);
    Rect bounds = new Rect(at[0], at[1], at[0] + view.getWidth(), at[1] + view.getHeight());
    Rect seen = new Rect();
    if (!bounds.intersect(clip) || !view.getGlobalVisibleRect(seen)) {
      bounds.setEmpty();
    }
    return bounds;
  }

  private static JsonArray flags(AccessibilityNodeInfo info) {
    JsonArray flags = new JsonArray();
    flag(flags, "clickable", info.isClickable());
    flag(flags, "long-clickable", info.isLongClickable());
    flag(flags, "checkable", info.isCheckable());
    flag(flags, "checked", info.isChecked());
    flag(flags, "enabled", info.isEnabled());
    flag(flags, "focusable", info.isFocusable());
    flag(flags, "focused", info.isFocused());
    flag(flags, "scrollable", info.isScrollable());
    flag(flags, "selected", info.isSelected());
    flag(flags, "password", info.isPassword());
    return flags;
  }

  private static void flag(JsonArray flags, String name, boolean set) {
    if (set) {
      flags.add(name);
    }
  }

  private static void text(JsonObject node, String name, CharSequence text) {
    if (text != null && text.length() > 0) {
      node.addProperty(name, text.toString());
    }
  }

  private static String id(View view) {
    if (view.getTag() instanceof ForeignId foreign) {
      return foreign.name();
    }
    int id = view.getId();
    // Generated at run time: such ids have no name.
    if (id == View.NO_ID || (id & 0xff000000) == 0) {
      return null;
    }
    try {
      return view.getResources().getResourceName(id);
    } catch (Resources.NotFoundException unnamed) {
      return null;
    }
  }
}
