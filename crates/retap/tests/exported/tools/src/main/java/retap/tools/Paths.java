package retap.tools;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** What an XPath means. */
final class Paths {
  private static final int WIDGETS = 4;

  private Paths() {}

  /**
   * For each expression, which widgets of a screen it means: as many as there are with all the
   * attributes, and as many that differ in one of them, which are counted from 100.
   */
  static List<Object> fits(JsonNode asked) throws Exception {
    List<Object> answers = new ArrayList<>();
    for (JsonNode one : asked) {
      Document screen = screen(one.get("attributes"));
      List<Object> fits = new ArrayList<>();
      try {
        String path = one.get("path").asText();
        Object found =
            XPathFactory.newInstance().newXPath().evaluate(path, screen, XPathConstants.NODESET);
        NodeList nodes = (NodeList) found;
        for (int at = 0; at < nodes.getLength(); at++) {
          fits.add(Integer.parseInt(((Element) nodes.item(at)).getAttribute("number")));
        }
      } catch (Exception error) {
        fits.add(String.valueOf(error));
      }
      answers.add(fits);
    }
    return answers;
  }

  private static Document screen(JsonNode attributes) throws Exception {
    Document screen = DocumentBuilderFactory.newInstance().newDocumentBuilder().newDocument();
    Element root = screen.createElement("hierarchy");
    screen.appendChild(root);
    for (int number = 0; number < WIDGETS; number++) {
      for (Map.Entry<String, JsonNode> attribute : attributes.properties()) {
        Element almost = widget(root, attributes, 100 + number);
        almost.setAttribute(attribute.getKey(), attribute.getValue().asText() + "?");
      }
      widget(root, attributes, number);
    }
    return screen;
  }

  private static Element widget(Element root, JsonNode attributes, int number) {
    Element widget = root.getOwnerDocument().createElement("android.widget.Button");
    attributes
        .properties()
        .forEach(one -> widget.setAttribute(one.getKey(), one.getValue().asText()));
    widget.setAttribute("number", String.valueOf(number));
    root.appendChild(widget);
    return widget;
  }
}
