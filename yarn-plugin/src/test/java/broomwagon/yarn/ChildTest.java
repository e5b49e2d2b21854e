package broomwagon.yarn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ChildTest {
  private static final String READY =
      "echo '{\"type\":\"ready\",\"protocol\":1,\"discipline\":\"none\"}'; ";
  private final BlockingQueue<ChildLine> heard = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> lost = new LinkedBlockingQueue<>();
  private Child child;

  private void start(String script) throws IOException {
    child = Child.start(List.of("sh", "-c", script), System::currentTimeMillis,
        new Child.Owner() {
          @Override
          public void heard(ChildLine line) {
            heard.add(line);
          }

          @Override
          public void lost(String why) {
            lost.add(why);
          }
        });
    child.listen();
  }

  @AfterEach
  void end() {
    if (child != null) child.lose("the test is over");
  }

  private static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
    T next = queue.poll(30, TimeUnit.SECONDS);
    assertNotNull(next);
    return next;
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void bringsLinesBothWays() throws Exception {
    start(READY + "read -r line; printf '{\"type\":\"log\",\"level\":\"info\",\"text\":\"%s\"}\\n' "
        + "\"${#line}\"; exec cat > /dev/null");
    assertEquals(new ChildLine.Ready("none"), next(heard));
    child.say("hello", line -> line.put("name", "é"));
    assertTrue(next(heard) instanceof ChildLine.Log);
    child.end();
    assertTrue(lost.isEmpty());
  }

  @ParameterizedTest
  @Execution(ExecutionMode.CONCURRENT)
  @CsvSource(delimiter = '|', value = {
      "exit 3 | the child ended with 3",
      "kill -9 $$ | the child ended with 137",
      "exec sleep 60 >&- | the child closed its output",
      "echo hello; exec sleep 60 | the child said what is not of the protocol: no JSON: hello",
      "echo '[]'; exec sleep 60 | the child said what is not of the protocol: no JSON object: []",
      "head -c 2000000 /dev/zero; exec sleep 60 | "
          + "the child said what is not of the protocol: a line too long",
  })
  void saysOnceWhatBecameOfIt(String script, String why) throws Exception {
    start(READY + script);
    assertEquals(why, next(lost));
    Thread.sleep(2 * Child.TICK_MS);
    assertTrue(lost.isEmpty());
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void givesUpOneThatHangs() throws Exception {
    start(READY + "kill -STOP $$");
    String why = next(lost);
    assertTrue(why.matches("the child has not answered for \\d+ ms"), why);
    Await.until("its end", () -> ProcessHandle.of(child.pid()).isEmpty());
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void takesNoCommandBeforeReady() throws Exception {
    start("echo '{\"type\":\"withdraw\",\"command\":1,\"of\":0}'; exec cat > /dev/null");
    assertTrue(next(lost).contains("a command before ready"));
    assertTrue(heard.isEmpty());
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void givesUpOneThatDoesNotRead() throws Exception {
    start(READY + "exec sleep 60");
    next(heard);
    String text = "x".repeat(1 << 20);
    for (int i = 0; i < 2 * (Outbox.BYTES_MAX >> 20); i++) {
      child.say("status", line -> line.put("text", text));
    }
    assertEquals("the child does not read what it is told", next(lost));
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void aProgramThatIsNotThereIsAnError() {
    assertThrows(IOException.class, () -> Child.start(List.of("/no/such/program"), () -> 0,
        new Child.Owner() {
          @Override
          public void heard(ChildLine line) { }

          @Override
          public void lost(String why) { }
        }));
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void anEndThatIsWantedIsNoFault() throws Exception {
    start(READY + "cat > /dev/null; exit 4");
    next(heard);
    child.end();
    Thread.sleep(2 * Child.TICK_MS);
    assertTrue(lost.isEmpty());
  }
}
