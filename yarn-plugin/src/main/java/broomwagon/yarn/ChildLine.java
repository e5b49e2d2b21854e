package broomwagon.yarn;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** A line that the child may send. */
sealed interface ChildLine {
  /** The longest line, in characters. */
  int LENGTH_MAX = 1 << 20;

  record Ready(String discipline) implements ChildLine { }

  record Idle(String reason) implements ChildLine { }

  record Tock(long tick) implements ChildLine { }

  record Log(String level, String text) implements ChildLine { }

  /** A line that is answered by {@code done} or {@code refused}. */
  sealed interface Command extends ChildLine {
    int command();
  }

  /**
   * @param hosts where it may run; null: anywhere
   * @param timeoutMs how long it may wait for a container; 0: not given
   * @param rule of the decision, for the log; may be empty
   */
  record Copy(int command, String task, List<String> hosts, long timeoutMs, String rule)
      implements Command { }

  record Withdraw(int command, int of) implements Command { }

  record Kill(int command, String attempt, String rule) implements Command { }

  /** A line that is not of the protocol. */
  final class Nonsense extends Exception {
    private static final long serialVersionUID = 1;

    Nonsense(String what) {
      super(what);
    }
  }

  static ChildLine parse(String text) throws Nonsense {
    JsonNode line;
    try {
      line = Json.parse(text);
    } catch (JsonProcessingException e) {
      throw new Nonsense("no JSON: " + excerpt(text));
    }
    if (line == null || !line.isObject()) throw new Nonsense("no JSON object: " + excerpt(text));
    try {
      return of(line);
    } catch (Nonsense e) {
      throw new Nonsense(e.getMessage() + ": " + excerpt(text));
    }
  }

  private static ChildLine of(JsonNode line) throws Nonsense {
    String type = text(line, "type");
    return switch (type) {
      case "ready" -> ready(line);
      case "idle" -> new Idle(text(line, "reason"));
      case "tock" -> new Tock(number(line, "tick", Long.MAX_VALUE));
      case "log" -> new Log(text(line, "level"), text(line, "text"));
      case "copy" -> new Copy(command(line, "command"), text(line, "task"), hosts(line),
          line.has("timeoutMs") ? number(line, "timeoutMs", Long.MAX_VALUE) : 0, rule(line));
      case "withdraw" -> new Withdraw(command(line, "command"), command(line, "of"));
      case "kill" -> new Kill(command(line, "command"), text(line, "attempt"), rule(line));
      default -> throw new Nonsense("a type that is not known");
    };
  }

  private static Ready ready(JsonNode line) throws Nonsense {
    long protocol = number(line, "protocol", Long.MAX_VALUE);
    if (protocol != Session.PROTOCOL) {
      throw new Nonsense("protocol " + protocol + " instead of " + Session.PROTOCOL);
    }
    return new Ready(text(line, "discipline"));
  }

  private static List<String> hosts(JsonNode line) throws Nonsense {
    JsonNode where = line.path("where");
    String on = text(where, "on");
    if (on.equals("any")) return null;
    if (!on.equals("only")) throw new Nonsense("where.on that is not known");
    JsonNode list = where.path("hosts");
    if (!list.isArray()) throw new Nonsense("where.hosts is no list");
    List<String> hosts = new ArrayList<>();
    for (JsonNode host : list) {
      if (!host.isTextual()) throw new Nonsense("where.hosts holds what is no text");
      hosts.add(host.asText());
    }
    return List.copyOf(hosts);
  }

  private static String text(JsonNode line, String key) throws Nonsense {
    JsonNode value = line.path(key);
    if (!value.isTextual()) throw new Nonsense(key + " is no text");
    return value.asText();
  }

  private static int command(JsonNode line, String key) throws Nonsense {
    return (int) number(line, key, Integer.MAX_VALUE);
  }

  private static long number(JsonNode line, String key, long max) throws Nonsense {
    JsonNode value = line.path(key);
    boolean whole = value.isIntegralNumber() && value.canConvertToLong();
    if (!whole || value.asLong() < 0 || value.asLong() > max) {
      throw new Nonsense(key + " is no whole number");
    }
    return value.asLong();
  }

  private static String rule(JsonNode line) {
    return line.path("why").path("rule").asText("");
  }

  private static String excerpt(String text) {
    return text.length() <= 200 ? text : text.substring(0, 200) + "…";
  }
}
