package broomwagon.yarn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.api.records.JobState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.MRApp;
import org.apache.hadoop.mapreduce.v2.app.client.ClientService;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptKillEvent;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerAllocator;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerAllocatorEvent;
import org.apache.hadoop.mapreduce.v2.app.rm.RMHeartbeatHandler;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.yarn.event.AbstractEvent;
import org.apache.hadoop.yarn.event.EventHandler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The Speculator in Hadoop's own AM, with real jobs, tasks and attempts, but no cluster. */
final class BroomwagonSpeculatorTest {
  @TempDir
  Path directory;
  private final LogLines log = new LogLines();
  private final Configuration conf = new Configuration();
  private HeldApp app;

  /** Containers are handed out when the test says so. */
  private static final class HeldApp extends MRApp {
    private final List<ContainerAllocatorEvent> held = new ArrayList<>();
    private ContainerAllocator allocator;
    private boolean open;

    /** Of one map. */
    HeldApp(boolean open) {
      this(open, 1, 0);
    }

    HeldApp(boolean open, int maps, int reduces) {
      super(maps, reduces, false, "broomwagon", true);
      this.open = open;
    }

    @Override
    protected ContainerAllocator createContainerAllocator(ClientService client,
        AppContext context) {
      allocator = super.createContainerAllocator(client, context);
      return new Gate();
    }

    /** The AM requires an allocator that also knows of heartbeats. */
    private final class Gate implements ContainerAllocator, RMHeartbeatHandler {
      @Override
      public void handle(ContainerAllocatorEvent event) {
        synchronized (held) {
          if (open) allocator.handle(event);
          else held.add(event);
        }
      }

      @Override
      public long getLastHeartbeatTime() {
        return ((RMHeartbeatHandler) allocator).getLastHeartbeatTime();
      }

      @Override
      public void runOnNextHeartbeat(Runnable callback) {
        ((RMHeartbeatHandler) allocator).runOnNextHeartbeat(callback);
      }
    }

    void release() {
      synchronized (held) {
        open = true;
        held.forEach(allocator::handle);
        held.clear();
      }
    }

    private enum Hold { ON }

    /** Blocks the event thread until then. */
    @SuppressWarnings("unchecked") // Hadoop's handler has the raw type.
    void hold(CountDownLatch until) throws ReflectiveOperationException {
      Inside.dispatcher(this).register(Hold.class, (EventHandler<AbstractEvent<Hold>>) event -> {
        try {
          until.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      });
      getContext().getEventHandler().handle(new AbstractEvent<>(Hold.ON) { });
    }

    void finish(TaskAttempt attempt) {
      getContext().getEventHandler()
          .handle(new TaskAttemptEvent(attempt.getID(), TaskAttemptEventType.TA_DONE));
    }
  }

  @AfterEach
  void stop() throws Exception {
    if (app != null) app.stop();
    log.close();
    // No thread writes into the directory any more, which is removed next.
    Await.until("the end of the child", () -> children() == 0);
  }

  /** A child that records what it hears and, at the first line of the type, says something. */
  private Job submit(String type, String says) throws Exception {
    Path script = directory.resolve("child.sh");
    Files.writeString(script, """
        while read -r line; do
          printf '%s\\n' "$line" >> '@heard'
          tick=${line##*'"tick":'}
          case "$line" in
            *'"type":"tick"'*) echo "{\\"type\\":\\"tock\\",\\"tick\\":${tick%\\}}}" ;;
            *'"type":"hello"'*) echo '{"type":"ready","protocol":1,"discipline":"none"}' ;;
            *'"type":"@type"'*) [ "$said" ] || { said=yes; @says; } ;;
          esac
        done
        """.replace("@heard", directory.resolve("heard").toString())
        .replace("@type", type).replace("@says", says));
    conf.set(MRJobConfig.MR_AM_JOB_SPECULATOR, BroomwagonSpeculator.class.getName());
    conf.set("broomwagon.node", "sh");
    conf.set("broomwagon.policy", script.toString());
    return app.submit(conf, true, true);
  }

  private static String copy(int command) {
    return "echo '{\"type\":\"copy\",\"command\":" + command
        + ",\"task\":\"m_000000\",\"where\":{\"on\":\"any\"}}'";
  }

  private Task map(Job job) {
    return job.getTask(MRBuilderUtils.newTaskId(job.getID(), 0, TaskType.MAP));
  }

  private String heard() throws IOException {
    Path file = directory.resolve("heard");
    return Files.exists(file) ? Files.readString(file) : "";
  }

  private void awaitHeard(String text) throws Exception {
    Await.until("the child hears " + text, () -> heard().contains(text));
  }

  /** Ends the job well by its first attempt. */
  private void finishByFirst(Job job) throws Exception {
    app.finish(Await.running(job, TaskType.MAP, 0));
    awaitSuccess(job);
  }

  private void awaitSuccess(Job job) throws Exception {
    Await.until("the map succeeds", () -> map(job).getState() == TaskState.SUCCEEDED);
  }

  @Test
  void aCopyRunsBesideTheOriginalAndWins() throws Exception {
    app = new HeldApp(true);
    Job job = submit("started\",\"at\":'*'\"attempt\":\"m_000000_0", copy(1));
    awaitHeard("\"command\":1,\"attempt\":\"m_000000_1\"");
    assertEquals(2, map(job).getAttempts().size());
    assertEquals(1, children());
    app.finish(Await.running(job, TaskType.MAP, 1));
    awaitSuccess(job);
    awaitHeard("\"attempt\":\"m_000000_1\",\"task\":\"m_000000\",\"state\":\"succeeded\"");
    awaitHeard("\"attempt\":\"m_000000_0\",\"task\":\"m_000000\",\"state\":\"killed\"");
    assertTrue(heard().contains("\"copy\":true"));
  }

  @Test
  void ofTwoThatSucceedOneWins() throws Exception {
    app = new HeldApp(true);
    Job job = submit("started\",\"at\":'*'\"attempt\":\"m_000000_0", copy(1));
    TaskAttempt second = Await.running(job, TaskType.MAP, 1);
    CountDownLatch over = new CountDownLatch(1);
    app.hold(over);
    app.finish(Await.running(job, TaskType.MAP, 0));
    app.finish(second);
    over.countDown();
    awaitHeard("\"attempt\":\"m_000000_0\",\"task\":\"m_000000\",\"state\":\"succeeded\"");
    awaitHeard("\"attempt\":\"m_000000_1\",\"task\":\"m_000000\",\"state\":\"killed\"");
  }

  @Test
  void anOutputThatIsGoneIsLostAndItsTaskRunsAgain() throws Exception {
    app = new HeldApp(true, 1, 1);
    Job job = submit("nothing", ":");
    loseOutput(Await.running(job, TaskType.MAP, 0));
    awaitHeard("\"attempt\":\"m_000000_1\",\"task\":\"m_000000\",\"host\"");
    assertEquals(List.of("started", "ended", "output-lost"), heardOf("m_000000_0"));
    app.finish(Await.running(job, TaskType.MAP, 1));
    awaitHeard("\"attempt\":\"m_000000_1\",\"task\":\"m_000000\",\"state\":\"succeeded\"");
  }

  @Test
  void whereNoReduceFollowsNothingIsLost() throws Exception {
    app = new HeldApp(true, 2, 0);
    Job job = submit("nothing", ":");
    loseOutput(Await.running(job, TaskType.MAP, 0));
    Task other = job.getTask(MRBuilderUtils.newTaskId(job.getID(), 1, TaskType.MAP));
    app.finish(Await.running(other, 0));
    awaitHeard("\"attempt\":\"m_000001_0\",\"task\":\"m_000001\",\"state\":\"succeeded\"");
    assertEquals(List.of("started", "ended"), heardOf("m_000000_0"));
  }

  /** Loses the output of an attempt, which is reported to have succeeded first. */
  private void loseOutput(TaskAttempt attempt) throws Exception {
    app.finish(attempt);
    awaitHeard("\"attempt\":\"m_000000_0\",\"task\":\"m_000000\",\"state\":\"succeeded\"");
    app.getContext().getEventHandler()
        .handle(new TaskAttemptKillEvent(attempt.getID(), "its node is lost"));
  }

  /** The types of the lines about the attempt, status reports left out. */
  private List<String> heardOf(String attempt) throws IOException {
    return heard().lines().filter(line -> line.contains("\"attempt\":\"" + attempt + "\""))
        .map(line -> line.replaceFirst("^\\{\"type\":\"([a-z-]+)\".*", "$1"))
        .filter(type -> !type.equals("status")).toList();
  }

  @Test
  void aTaskThatDoesNotRunGetsNoCopyAndTheJobLives() throws Exception {
    app = new HeldApp(false);
    Path scheduled = directory.resolve("scheduled");
    Job job = submit("job", "while [ ! -e '" + scheduled + "' ]; do sleep 0.1; done; " + copy(1));
    Await.until("the task waits", () -> map(job).getState() == TaskState.SCHEDULED);
    Files.createFile(scheduled);
    awaitHeard("\"command\":1,\"reason\":\"not-running\"");
    assertEquals(TaskState.SCHEDULED, map(job).getState());
    assertEquals(1, map(job).getAttempts().size());
    app.release();
    finishByFirst(job);
  }

  @Test
  void aKilledAttemptIsReplacedByHadoop() throws Exception {
    app = new HeldApp(true);
    Job job = submit("started\",\"at\":'*'\"attempt\":\"m_000000_0",
        "echo '{\"type\":\"kill\",\"command\":5,\"attempt\":\"m_000000_0\"}'");
    awaitHeard("\"type\":\"started\",\"at\":");
    awaitHeard("\"attempt\":\"m_000000_1\",\"task\":\"m_000000\",\"host\"");
    assertTrue(heard().contains("\"state\":\"killed\""));
    assertTrue(heard().contains("\"copy\":false"));
    assertEquals(JobState.RUNNING, job.getState());
  }

  @Test
  void commandsThatCannotBeAreRefused() throws Exception {
    app = new HeldApp(true);
    Job job = submit("started",
        "echo '{\"type\":\"copy\",\"command\":1,\"task\":\"m_000009\",\"where\":{\"on\":\"any\"}}';"
        + "echo '{\"type\":\"copy\",\"command\":2,\"task\":\"m_000000\",\"where\":{\"on\":\"only\","
        + "\"hosts\":[\"n1\"]}}';"
        + "echo '{\"type\":\"kill\",\"command\":3,\"attempt\":\"m_000000_9\"}';"
        + "echo '{\"type\":\"withdraw\",\"command\":4,\"of\":2}';"
        + "echo '{\"type\":\"withdraw\",\"command\":5,\"of\":4}'");
    awaitHeard("\"command\":1,\"reason\":\"unknown\"");
    awaitHeard("\"command\":2,\"reason\":\"no-placement\"");
    awaitHeard("\"command\":3,\"reason\":\"unknown\"");
    awaitHeard("\"command\":4,\"reason\":\"too-late\"");
    awaitHeard("\"command\":5,\"reason\":\"unknown\"");
    finishByFirst(job);
  }

  @Test
  void aChildThatDiesCostsTheJobNothing() throws Exception {
    app = new HeldApp(true);
    Job job = submit("started", "exit 3");
    awaitHeard("\"type\":\"started\"");
    awaitNoSpeculation("the child ended with 3");
    finishByFirst(job);
    assertEquals(1, map(job).getAttempts().size());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
      "echo nonsense | the child said what is not of the protocol: no JSON: nonsense",
      "echo '{\"type\":\"copy\",\"command\":1}' | the child said what is not of the protocol: "
          + "task is no text",
      "echo '{\"type\":\"withdraw\",\"command\":1,\"of\":0}'; "
          + "echo '{\"type\":\"withdraw\",\"command\":1,\"of\":0}' | "
          + "the child said what is not of the protocol: command 1 after 1",
      "exec sleep 60 >&- | the child closed its output",
  })
  void aChildThatDoesNotKeepToTheProtocolIsEnded(String says, String why) throws Exception {
    app = new HeldApp(true);
    Job job = submit("started", "echo $$ > '" + directory + "/pid'; " + says);
    awaitNoSpeculation(why);
    Await.until("the child's end", () -> ProcessHandle.of(pid()).isEmpty());
    finishByFirst(job);
  }

  /** This also shows that commands run on the AM's event thread, and on no other. */
  @Test
  void aChildWithTooManyCommandsWithoutAnAnswerIsEnded() throws Exception {
    app = new HeldApp(true);
    Path held = directory.resolve("held");
    Job job = submit("started", "echo $$ > '" + directory + "/pid'; "
        + "while [ ! -e '" + held + "' ]; do sleep 0.1; done; i=0; while [ $i -lt 1001 ]; do "
        + "i=$((i + 1)); echo \"{\\\"type\\\":\\\"kill\\\",\\\"command\\\":$i,"
        + "\\\"attempt\\\":\\\"m_000000_0\\\"}\"; done");
    Await.running(job, TaskType.MAP, 0);
    CountDownLatch over = new CountDownLatch(1);
    app.hold(over);
    Files.createFile(held);
    awaitNoSpeculation("the child has more than 1000 commands without an answer");
    over.countDown();
    Await.until("all that it said is refused", () -> log.holds("command 1000 refused, child-lost"));
    Await.until("the child's end", () -> ProcessHandle.of(pid()).isEmpty());
    assertEquals(1, map(job).getAttempts().size());
    finishByFirst(job);
  }

  private long pid() throws IOException {
    return Long.parseLong(Files.readString(directory.resolve("pid")).strip());
  }

  private void awaitNoSpeculation(String why) throws Exception {
    Await.until(why, () -> log.holds("Broomwagon: no speculation from now on: " + why));
  }

  @Test
  void whoTurnsItOffHasNoChildAndReadsSo() throws Exception {
    app = new HeldApp(true);
    conf.setBoolean("broomwagon.enabled", false);
    Job job = submit("started", copy(1));
    assertTrue(log.holds("Broomwagon: no speculation in this job: broomwagon.enabled is false"));
    assertFalse(log.holds("runs as process"));
    assertEquals(0, children());
    finishByFirst(job);
    assertEquals(1, map(job).getAttempts().size());
    assertEquals("", heard());
  }

  /** Processes that have been given something of this test's. */
  private long children() {
    return ProcessHandle.current().children()
        .filter(child -> child.info().commandLine().orElse("").contains(directory.toString()))
        .count();
  }

  @Test
  void whatGoesWrongBeforeThereIsAChildCostsTheJobNothing() throws Exception {
    app = new HeldApp(true);
    conf.set(MRJobConfig.MR_AM_JOB_SPECULATOR, BroomwagonSpeculator.class.getName());
    conf.set("broomwagon.policy", "no\0path");
    finishByFirst(app.submit(conf, true, true));
    awaitNoSpeculation("");
  }
}
