package broomwagon.yarn;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The process that decides, and the three threads that serve it: one writes to it, one reads from
 * it, one sends ticks and checks that they are answered. Any failure of the process is reported
 * once, to {@link Owner#lost}, and the process has ended by then.
 */
final class Child {
  /** Called on the child's threads, which a call must not block. */
  interface Owner {
    void heard(ChildLine line);

    void lost(String why);
  }

  static final long TICK_MS = 1000;
  static final long END_MAX_MS = 5000;

  private final Owner owner;
  private final Outbox outbox;
  private final Process process;
  private final Watch watch = new Watch(now());
  /** The job has ended, so it is no fault if the child ends too. */
  private volatile boolean ending;
  private boolean lost;

  private Child(Owner owner, LongSupplier clock, Process process) {
    this.owner = owner;
    this.outbox = new Outbox(clock);
    this.process = process;
  }

  /**
   * Starts the process, whose output is read only after {@link #listen}; its standard error is the
   * AM's.
   *
   * @param clock milliseconds since 1970
   * @throws IOException if the program cannot be started
   */
  static Child start(List<String> argv, LongSupplier clock, Owner owner) throws IOException {
    Process process = new ProcessBuilder(argv)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
    return new Child(owner, clock, process);
  }

  /** Starts to call the owner, which must know this child by now. */
  void listen() {
    daemon("writer", this::write);
    daemon("reader", this::read);
    daemon("ticks", this::tick);
  }

  long pid() {
    return process.pid();
  }

  /** Adds a line for the child. Never waits. */
  void say(String type, Consumer<ObjectNode> fill) {
    if (!outbox.put(type, fill)) lose("the child does not read what it is told");
  }

  /** Ends the child, which gets {@link #END_MAX_MS} to finish its writes. */
  void end() {
    ending = true;
    outbox.close();
    try {
      process.waitFor(END_MAX_MS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    kill();
  }

  /** Ends the child at once and says why; only the first reason counts. */
  void lose(String why) {
    synchronized (this) {
      if (lost || ending) return;
      lost = true;
    }
    outbox.abandon();
    kill();
    owner.lost(why);
  }

  /**
   * Process.destroyForcibly also closes the child's input, and waits for the thread that writes to
   * it.
   */
  private void kill() {
    process.toHandle().destroyForcibly();
  }

  private void write() throws InterruptedException {
    try (OutputStream out = new BufferedOutputStream(process.getOutputStream(), 1 << 16)) {
      for (byte[] line; (line = outbox.take()) != null; ) {
        out.write(line);
        if (outbox.isEmpty()) out.flush();
      }
    } catch (IOException e) {
      // The reader learns how the child ended, and gives a better reason: leave it time to do so.
      Thread.sleep(2 * TICK_MS);
      lose("the child's input is closed");
    }
  }

  private void read() throws InterruptedException {
    try (BufferedReader in = new BufferedReader(
        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line; (line = readLine(in)) != null; ) hear(ChildLine.parse(line));
    } catch (ChildLine.Nonsense e) {
      lose("the child said what is not of the protocol: " + e.getMessage());
    } catch (IOException e) {
      lose("the child's output cannot be read: " + e.getMessage());
    }
    boolean gone = process.waitFor(TICK_MS, TimeUnit.MILLISECONDS);
    lose(gone ? "the child ended with " + process.exitValue() : "the child closed its output");
  }

  private void hear(ChildLine line) throws ChildLine.Nonsense {
    if (line instanceof ChildLine.Ready || line instanceof ChildLine.Idle) {
      watch.ready();
    } else if (line instanceof ChildLine.Tock tock && !watch.tock(tock.tick(), now())) {
      throw new ChildLine.Nonsense("tock " + tock.tick() + " out of turn");
    } else if (line instanceof ChildLine.Command && !watch.isReady()) {
      throw new ChildLine.Nonsense("a command before ready");
    }
    owner.heard(line);
  }

  /**
   * As BufferedReader.readLine, but an unfinished line is dropped, and only {@code \n} ends a line.
   */
  private static String readLine(Reader in) throws IOException, ChildLine.Nonsense {
    StringBuilder line = new StringBuilder();
    for (int c; (c = in.read()) != '\n'; ) {
      if (c < 0) return null;
      if (line.length() == ChildLine.LENGTH_MAX) throw new ChildLine.Nonsense("a line too long");
      line.append((char) c);
    }
    return line.toString();
  }

  private void tick() throws InterruptedException {
    while (process.isAlive() && !ending) {
      Thread.sleep(TICK_MS);
      String complaint = watch.complaint(now());
      if (complaint != null) lose(complaint);
      else if (watch.isReady()) {
        long number = watch.tick(now());
        say("tick", line -> line.put("tick", number));
      }
    }
  }

  private static long now() {
    return System.nanoTime() / 1_000_000;
  }

  private interface Body {
    void run() throws InterruptedException;
  }

  private void daemon(String name, Body body) {
    Thread thread = new Thread(() -> {
      try {
        body.run();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (RuntimeException e) {
        lose("a fault of the plug-in: " + e);
      }
    }, "broomwagon-" + name);
    thread.setDaemon(true);
    thread.start();
  }
}
