package broomwagon.yarn;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Lines that wait to be written to the child: in order, bounded; adding a line never blocks. */
final class Outbox {
  static final long BYTES_MAX = 64L << 20;

  private final LongSupplier clock;
  private final ArrayDeque<byte[]> lines = new ArrayDeque<>();
  private long bytes;
  private long lastAt;
  private boolean closed;

  /** @param clock milliseconds since 1970 */
  Outbox(LongSupplier clock) {
    this.clock = clock;
  }

  /**
   * Adds a line, whose {@code at} never goes back. After the end it is dropped.
   *
   * @return false if there is no room
   */
  synchronized boolean put(String type, Consumer<ObjectNode> fill) {
    if (closed) return true;
    lastAt = Math.max(lastAt, clock.getAsLong());
    ObjectNode node = Json.object();
    node.put("type", type).put("at", lastAt);
    fill.accept(node);
    byte[] line = Json.line(node);
    if (bytes + line.length > BYTES_MAX) return false;
    lines.add(line);
    bytes += line.length;
    notifyAll();
    return true;
  }

  /** The next line; blocks until there is one. Null at the end. */
  synchronized byte[] take() throws InterruptedException {
    while (lines.isEmpty() && !closed) wait();
    byte[] line = lines.poll();
    if (line != null) bytes -= line.length;
    return line;
  }

  synchronized boolean isEmpty() {
    return lines.isEmpty();
  }

  /** Takes no more lines; the waiting ones are still handed out. */
  synchronized void close() {
    closed = true;
    notifyAll();
  }

  /** Takes and hands out no more lines. */
  synchronized void abandon() {
    lines.clear();
    bytes = 0;
    close();
  }
}
