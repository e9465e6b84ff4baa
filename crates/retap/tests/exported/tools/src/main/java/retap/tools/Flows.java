package retap.tools;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import kotlin.jvm.functions.Function1;
import kotlin.text.Regex;
import maestro.Filters;
import maestro.TreeNode;
import maestro.js.JsEngine;
import maestro.orchestra.MaestroCommand;
import maestro.orchestra.Orchestra;
import maestro.orchestra.yaml.YamlCommandReader;
import maestro.utils.StringUtils;

/** What Maestro makes of a flow. */
final class Flows {
  private static final ObjectMapper JSON =
      new ObjectMapper()
          .setSerializationInclusion(JsonInclude.Include.NON_NULL)
          .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS);

  private Flows() {}

  /**
   * Its commands, as they are performed; each selector says which of the names its patterns mean.
   */
  static JsonNode read(Path flow, JsonNode names) {
    try {
      ArrayNode commands = JSON.createArrayNode();
      for (MaestroCommand command : YamlCommandReader.INSTANCE.readCommands(flow)) {
        JsonNode evaluated = JSON.valueToTree(command.evaluateScripts(scripts()));
        fit(evaluated, names);
        commands.add(evaluated);
      }
      return commands;
    } catch (Throwable error) {
      return JSON.createObjectNode().put("error", String.valueOf(error));
    }
  }

  /** Evaluates no script, and says so where one should have been. */
  private static JsEngine scripts() {
    return (JsEngine)
        Proxy.newProxyInstance(
            Flows.class.getClassLoader(),
            new Class<?>[] {JsEngine.class},
            (self, method, args) ->
                method.getName().startsWith("evaluateScript") ? "EVALUATED " + args[0] : null);
  }

  private static void fit(JsonNode node, JsonNode names) {
    if (node instanceof ObjectNode object) {
      fit(object, "textRegex", "text", names);
      fit(object, "idRegex", "resource-id", names);
    }
    node.forEach(inside -> fit(inside, names));
  }

  private static void fit(ObjectNode selector, String part, String attribute, JsonNode names) {
    JsonNode pattern = selector.get(part);
    if (pattern == null) {
      return;
    }
    ArrayNode fits = selector.putArray(part + "Fits");
    for (int at = 0; at < names.size(); at++) {
      if (fits(pattern.asText(), attribute, names.get(at).asText())) {
        fits.add(at);
      }
    }
  }

  /** Whether the pattern means a widget with this name. */
  private static boolean fits(String pattern, String attribute, String name) {
    Regex regex = StringUtils.INSTANCE.toRegexSafe(pattern, Orchestra.Companion.getREGEX_OPTIONS());
    Function1<List<TreeNode>, List<TreeNode>> filter =
        attribute.equals("text")
            ? Filters.INSTANCE.textMatches(regex)
            : Filters.INSTANCE.idMatches(regex);
    TreeNode widget =
        new TreeNode(
            new HashMap<>(Map.of(attribute, name)),
            new ArrayList<>(),
            true,
            true,
            false,
            false,
            false);
    return !filter.invoke(List.of(widget)).isEmpty();
  }
}
