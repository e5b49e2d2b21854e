package broomwagon.yarn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class OutboxTest {
  private long now = 100;
  private final Outbox outbox = new Outbox(() -> now);

  private String next() throws InterruptedException {
    byte[] line = outbox.take();
    return line == null ? null : new String(line, StandardCharsets.UTF_8);
  }

  @Test
  void handsLinesOutInOrder() throws InterruptedException {
    outbox.put("a", line -> line.put("name", "é"));
    outbox.put("b", line -> { });
    assertEquals("{\"type\":\"a\",\"at\":100,\"name\":\"é\"}\n", next());
    assertEquals("{\"type\":\"b\",\"at\":100}\n", next());
    assertTrue(outbox.isEmpty());
  }

  @Test
  void timeNeverGoesBack() throws InterruptedException {
    outbox.put("a", line -> { });
    now = 90;
    outbox.put("b", line -> { });
    assertEquals("{\"type\":\"a\",\"at\":100}\n", next());
    assertEquals("{\"type\":\"b\",\"at\":100}\n", next());
  }

  @Test
  void takesTheLinesOfALargeJobAtOnce() {
    for (int i = 0; i < 100_000; i++) assertTrue(outbox.put("recovered", line -> { }));
  }

  @Test
  void takesNoMoreThanItsBytes() throws InterruptedException {
    String text = "x".repeat(1 << 20);
    for (int i = 1; i < Outbox.BYTES_MAX >> 20; i++) {
      assertTrue(outbox.put("a", line -> line.put("text", text)));
    }
    assertFalse(outbox.put("a", line -> line.put("text", text)));
    next();
    assertTrue(outbox.put("a", line -> line.put("text", text)));
  }

  @Test
  void closedItHandsOutWhatItHas() throws InterruptedException {
    outbox.put("a", line -> { });
    outbox.close();
    assertTrue(outbox.put("b", line -> { }));
    assertEquals("{\"type\":\"a\",\"at\":100}\n", next());
    assertNull(next());
  }

  @Test
  void abandonedItHandsOutNothing() throws InterruptedException {
    outbox.put("a", line -> { });
    outbox.abandon();
    assertNull(next());
  }
}
