package broomwagon.yarn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ChildLineTest {
  @Test
  void readsEveryTypeOfLine() throws ChildLine.Nonsense {
    assertEquals(new ChildLine.Ready("late"),
        ChildLine.parse("{\"type\":\"ready\",\"protocol\":1,\"discipline\":\"late\"}"));
    assertEquals(new ChildLine.Idle("no"),
        ChildLine.parse("{\"type\":\"idle\",\"reason\":\"no\"}"));
    assertEquals(new ChildLine.Tock(7), ChildLine.parse("{\"type\":\"tock\",\"tick\":7}"));
    assertEquals(new ChildLine.Log("info", "a"),
        ChildLine.parse("{\"type\":\"log\",\"level\":\"info\",\"text\":\"a\"}"));
    assertEquals(new ChildLine.Copy(1, "m_000000", null, 0, "late/slowest"),
        ChildLine.parse("{\"type\":\"copy\",\"command\":1,\"task\":\"m_000000\","
            + "\"where\":{\"on\":\"any\"},\"why\":{\"rule\":\"late/slowest\",\"numbers\":{}}}"));
    assertEquals(new ChildLine.Copy(2, "r_000001", List.of("n1", "n2"), 500, ""),
        ChildLine.parse("{\"type\":\"copy\",\"command\":2,\"task\":\"r_000001\","
            + "\"where\":{\"on\":\"only\",\"hosts\":[\"n1\",\"n2\"]},\"timeoutMs\":500}"));
    assertEquals(new ChildLine.Withdraw(3, 2),
        ChildLine.parse("{\"type\":\"withdraw\",\"command\":3,\"of\":2}"));
    assertEquals(new ChildLine.Kill(4, "m_000000_0", ""),
        ChildLine.parse("{\"type\":\"kill\",\"command\":4,\"attempt\":\"m_000000_0\"}"));
  }

  @Test
  void ignoresKeysThatItDoesNotKnow() throws ChildLine.Nonsense {
    assertEquals(new ChildLine.Tock(7),
        ChildLine.parse("{\"type\":\"tock\",\"tick\":7,\"mood\":[1]}"));
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "", " ", "null", "7", "[]", "hello", "{", "{}", "{\"type\":7}", "{\"type\":\"reboot\"}",
      "{\"type\":\"tock\"}", "{\"type\":\"tock\",\"tick\":1.5}",
      "{\"type\":\"tock\",\"tick\":\"1\"}",
      "{\"type\":\"tock\",\"tick\":-1}", "{\"type\":\"tock\",\"tick\":1} {}",
      "{\"type\":\"tock\",\"tick\":1,\"tick\":2}",
      "{\"type\":\"tock\",\"tick\":99999999999999999999}",
      "{\"type\":\"ready\",\"protocol\":2,\"discipline\":\"late\"}",
      "{\"type\":\"copy\",\"command\":1,\"task\":\"m_000000\"}",
      "{\"type\":\"copy\",\"command\":1,\"task\":\"m_000000\",\"where\":{\"on\":\"moon\"}}",
      "{\"type\":\"copy\",\"command\":1,\"task\":\"m_000000\",\"where\":{\"on\":\"only\"}}",
      "{\"type\":\"copy\",\"command\":1,\"task\":\"m\",\"where\":{\"on\":\"only\",\"hosts\":[1]}}",
      "{\"type\":\"copy\",\"command\":4294967296,\"task\":\"m\",\"where\":{\"on\":\"any\"}}",
      "{\"type\":\"kill\",\"command\":1}",
      "{\"type\":\"withdraw\",\"command\":1}",
  })
  void callsAllElseNonsense(String line) {
    assertThrows(ChildLine.Nonsense.class, () -> ChildLine.parse(line));
  }

  @Test
  void neverFailsInAnotherWayOnLinesWithFlaws() {
    String good = "{\"type\":\"copy\",\"command\":2,\"task\":\"r_000001\",\"where\":"
        + "{\"on\":\"only\",\"hosts\":[\"n1\"]},\"timeoutMs\":500,\"why\":{\"rule\":\"x\"}}";
    for (int seed = 0; seed < 5000; seed++) {
      String line = withFlaws(good, new Random(seed));
      try {
        ChildLine.parse(line);
      } catch (ChildLine.Nonsense expected) {
        assertEquals(false, expected.getMessage().isEmpty(), line);
      }
    }
  }

  private static String withFlaws(String good, Random random) {
    StringBuilder line = new StringBuilder(good);
    for (int i = random.nextInt(4); i >= 0; i--) {
      int at = random.nextInt(line.length());
      switch (random.nextInt(3)) {
        case 0 -> line.deleteCharAt(at);
        case 1 -> line.insert(at, (char) random.nextInt(0x3000));
        default -> line.setCharAt(at, good.charAt(random.nextInt(good.length())));
      }
    }
    return line.toString();
  }
}
