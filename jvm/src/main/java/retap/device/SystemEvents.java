package retap.device;

import android.content.ComponentName;
import android.content.Intent;
import android.net.Uri;
import android.os.RemoteException;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.Map;
import java.util.Set;
import retap.host.Unsupported;

/** What happens outside the app: broadcasts, and intents for one of its components. */
final class SystemEvents {
  private static final Set<String> RESERVED =
      Set.of("action", "component", "data", "type", "category");

  private final SystemServer server;
  private final Packages packages;

  SystemEvents(SystemServer server, Packages packages) {
    this.server = server;
    this.packages = packages;
  }

  void happen(JsonObject event) throws RemoteException {
    String action = event.get("action").getAsString();
    JsonObject extras = event.has("extras") ? event.getAsJsonObject("extras") : new JsonObject();
    switch (action) {
      case "am:start" ->
          server.tasks().launch(intent(extras).addFlags(Intent.FLAG_ACTIVITY_NEW_TASK));
      case "am:startservice" ->
          server.services().startService(null, intent(extras), null, false, "", 0);
      case "am:stopservice" -> server.services().stopService(null, intent(extras), null, 0);
      case "am:broadcast" -> server.services().broadcast(intent(extras));
      default -> {
        if (action.contains(":")) {
          throw new Unsupported("the system event " + action);
        }
        server.services().broadcast(intent(extras).setAction(action));
      }
    }
    Looping.idle();
  }

  private Intent intent(JsonObject extras) {
    Intent intent = new Intent();
    for (Map.Entry<String, JsonElement> extra : extras.entrySet()) {
      String value = extra.getValue().getAsString();
      switch (extra.getKey()) {
        case "action" -> intent.setAction(value);
        case "component" -> intent.setComponent(component(value));
        case "category" -> intent.addCategory(value);
        default -> put(intent, extra.getKey(), value);
      }
    }
    String data = text(extras, "data");
    String type = text(extras, "type");
    intent.setDataAndType(data == null ? null : Uri.parse(data), type);
    return intent;
  }

  private static void put(Intent intent, String name, String value) {
    if (RESERVED.contains(name)) {
      return;
    }
    if (value.equals("true") || value.equals("false")) {
      intent.putExtra(name, Boolean.parseBoolean(value));
      return;
    }
    try {
      intent.putExtra(name, Integer.parseInt(value));
    } catch (NumberFormatException text) {
      intent.putExtra(name, value);
    }
  }

  private ComponentName component(String written) {
    ComponentName component = ComponentName.unflattenFromString(written);
    return component == null ? new ComponentName(packages.name(), written) : component;
  }

  private static String text(JsonObject extras, String name) {
    return extras.has(name) ? extras.get(name).getAsString() : null;
  }
}
