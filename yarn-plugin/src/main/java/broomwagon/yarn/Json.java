package broomwagon.yarn;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Lines of JSON. */
final class Json {
  private static final ObjectMapper MAPPER = new ObjectMapper()
      .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
      .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);

  private Json() { }

  static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  static JsonNode parse(String line) throws JsonProcessingException {
    return MAPPER.readTree(line);
  }

  /** The line, with its end. */
  static byte[] line(JsonNode node) {
    try {
      byte[] text = MAPPER.writeValueAsBytes(node);
      byte[] line = java.util.Arrays.copyOf(text, text.length + 1);
      line[text.length] = '\n';
      return line;
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree of JSON could not be written", e);
    }
  }
}
