package broomwagon.yarn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.api.records.JobState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
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
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerAllocator;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerAllocatorEvent;
import org.apache.hadoop.mapreduce.v2.app.rm.RMHeartbeatHandler;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Speculator in Hadoop's own AM, with real jobs, tasks and attempts, but no cluster. */
final class BroomwagonSpeculatorTest {
  private static final long WAIT_MS = 30_000;
  @TempDir
  Path directory;
  private HeldApp app;

  /** Containers are handed out when the test says so. */
  private static final class HeldApp extends MRApp {
    private final List<ContainerAllocatorEvent> held = new ArrayList<>();
    private ContainerAllocator allocator;
    private boolean open;

    HeldApp(boolean open) {
      super(1, 0, false, "broomwagon", true);
      this.open = open;
    }

    @Override
    protected ContainerAllocator createContainerAllocator(ClientService client,
        AppContext context) {
      allocator = super.createContainerAllocator(client, context);
      return new Gate();
    }

    /** The AM wants of its allocator that it knows of heartbeats too. */
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

    void finish(TaskAttempt attempt) {
      getContext().getEventHandler()
          .handle(new TaskAttemptEvent(attempt.getID(), TaskAttemptEventType.TA_DONE));
    }
  }

  @AfterEach
  void stop() {
    if (app != null) app.stop();
  }

  /** A child that writes down what it hears and, at the first line of the type, says something. */
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
    Configuration conf = new Configuration();
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

  private void await(String what, Callable<Boolean> holds) throws Exception {
    long end = System.currentTimeMillis() + WAIT_MS;
    while (!holds.call()) {
      assertTrue(System.currentTimeMillis() < end, what + "; heard: " + heard());
      Thread.sleep(20);
    }
  }

  private String heard() throws IOException {
    Path file = directory.resolve("heard");
    return Files.exists(file) ? Files.readString(file) : "";
  }

  private void awaitHeard(String text) throws Exception {
    await(text, () -> heard().contains(text));
  }

  /** Ends the job well by its first attempt. */
  private void finishByFirst(Job job) throws Exception {
    TaskAttempt first = map(job).getAttempts().values().iterator().next();
    app.waitForState(first, TaskAttemptState.RUNNING);
    app.finish(first);
    await("the job succeeds", () -> map(job).getState() == TaskState.SUCCEEDED);
  }

  @Test
  void aCopyRunsBesideTheOriginalAndWins() throws Exception {
    app = new HeldApp(true);
    Job job = submit("started\",\"at\":'*'\"attempt\":\"m_000000_0", copy(1));
    await("a second attempt", () -> map(job).getAttempts().size() == 2);
    awaitHeard("\"command\":1,\"attempt\":\"m_000000_1\"");
    TaskAttempt second = map(job).getAttempts().values().stream()
        .filter(attempt -> attempt.getID().getId() == 1).findFirst().orElseThrow();
    app.waitForState(second, TaskAttemptState.RUNNING);
    app.finish(second);
    await("the job succeeds", () -> map(job).getState() == TaskState.SUCCEEDED);
    awaitHeard("\"attempt\":\"m_000000_1\",\"task\":\"m_000000\",\"state\":\"succeeded\"");
    awaitHeard("\"attempt\":\"m_000000_0\",\"task\":\"m_000000\",\"state\":\"killed\"");
    assertTrue(heard().contains("\"copy\":true"));
  }

  @Test
  void aTaskThatDoesNotRunGetsNoCopyAndTheJobLives() throws Exception {
    app = new HeldApp(false);
    Path scheduled = directory.resolve("scheduled");
    Job job = submit("job", "while [ ! -e '" + scheduled + "' ]; do sleep 0.1; done; " + copy(1));
    await("the task waits", () -> map(job).getState() == TaskState.SCHEDULED);
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
    finishByFirst(job);
    assertEquals(1, map(job).getAttempts().size());
  }

  @Test
  void whatGoesWrongBeforeThereIsAChildCostsTheJobNothing() throws Exception {
    app = new HeldApp(true);
    Configuration conf = new Configuration();
    conf.set(MRJobConfig.MR_AM_JOB_SPECULATOR, BroomwagonSpeculator.class.getName());
    conf.set("broomwagon.policy", "no\0path");
    finishByFirst(app.submit(conf, true, true));
  }
}
