package broomwagon.yarn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.MRApp;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEventType;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.event.AbstractEvent;
import org.apache.hadoop.yarn.event.AsyncDispatcher;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Copies that wait for a container of their own, on the event thread of a job of Hadoop's. */
final class CommandsTest {
  private final BlockingQueue<String> said = new LinkedBlockingQueue<>();
  private final Containers containers = new Containers();
  private MRApp app;
  private Task task;
  private Commands commands;

  private enum Work { DO }

  private static final class Errand extends AbstractEvent<Work> {
    private final Runnable work;

    Errand(Runnable work) {
      super(Work.DO);
      this.work = work;
    }
  }

  /** Records its calls. */
  private final class Containers implements Placement {
    private final List<Ask> asked = new ArrayList<>();

    @Override
    public void ask(Ask ask) {
      asked.add(ask);
    }

    @Override
    public void withdraw(int command) {
      said.add("withdraw " + command);
    }

    @Override
    public void give(TaskAttemptId attempt, Container container) {
      said.add("give " + Names.of(attempt) + " " + container.getNodeId().getHost());
    }

    @Override
    public void release(Container container) {
      said.add("release " + container.getNodeId().getHost());
    }

    @Override
    public void forget(TaskAttemptId attempt) { }
  }

  @BeforeEach
  void start() throws Exception {
    // The second map never ends, and so the job does not.
    app = new MRApp(2, 0, false, "broomwagon", true);
    Configuration conf = new Configuration();
    // Hadoop's own speculator trips over attempts that end without a report.
    conf.set(MRJobConfig.MR_AM_JOB_SPECULATOR, BroomwagonSpeculator.class.getName());
    conf.setBoolean("broomwagon.enabled", false);
    Job job = app.submit(conf, true, true);
    task = job.getTask(MRBuilderUtils.newTaskId(job.getID(), 0, TaskType.MAP));
    AsyncDispatcher dispatcher = Inside.dispatcher(app);
    dispatcher.register(Work.class, event -> ((Errand) event).work.run());
    Commands.Replies replies = new Commands.Replies() {
      @Override
      public void done(int command, TaskAttemptId attempt) {
        said.add("done " + command + (attempt == null ? "" : " " + Names.of(attempt)));
      }

      @Override
      public void refused(int command, String reason) {
        said.add("refused " + command + " " + reason);
      }
    };
    commands = new Commands(job, new Settings(new Configuration()), replies, () -> containers,
        this::post);
    Await.running(job, TaskType.MAP, 0);
  }

  @AfterEach
  void stop() {
    app.stop();
  }

  @SuppressWarnings("unchecked") // Hadoop's handler has the raw type.
  private void post(Runnable work) {
    app.getContext().getEventHandler().handle(new Errand(work));
  }

  private void give(ChildLine.Command command) {
    post(() -> commands.run(command));
  }

  private static ChildLine.Copy copy(int command, List<String> hosts, long timeoutMs) {
    return new ChildLine.Copy(command, "m_000000", hosts, timeoutMs, "a-rule");
  }

  private static Container on(String host) {
    return Container.newInstance(MRApp.newContainerId(1, 1, 1, 77), NodeId.newInstance(host, 1),
        host + ":2", Resource.newInstance(1024, 1), Priority.newInstance(20), null);
  }

  private void expect(String... lines) throws InterruptedException {
    for (String line : lines) {
      String next = said.poll(30, TimeUnit.SECONDS);
      assertNotNull(next, line);
      assertEquals(line, next);
    }
  }

  /** What was posted before has been done. */
  private void settle() throws InterruptedException {
    post(() -> said.add("settled"));
    expect("settled");
  }

  private void endTask() throws Exception {
    TaskAttempt first = task.getAttempts().values().iterator().next();
    post(() -> app.getContext().getEventHandler().handle(
        new TaskAttemptEvent(first.getID(), TaskAttemptEventType.TA_DONE)));
    Await.until("the task succeeds", () -> task.getState() == TaskState.SUCCEEDED);
  }

  @Test
  void anAttemptIsMadeOnlyWhenItsContainerIsThere() throws Exception {
    give(copy(1, List.of("n3"), 0));
    give(copy(2, null, 0));
    give(copy(3, List.of("n3"), 500));
    settle();
    assertEquals(List.of(10_000L, 0L, 500L),
        containers.asked.stream().map(Placement.Ask::timeoutMs).toList());
    assertEquals(1, task.getAttempts().size());
    commands.granted(1, on("n3"));
    expect("give m_000000_1 n3", "done 1 m_000000_1");
  }

  @Test
  void whatTimesOutIsReportedAndNotAskedForAgain() throws Exception {
    give(copy(1, List.of("n3"), 500));
    settle();
    commands.timedOut(1);
    expect("refused 1 time-out");
    settle();
    assertEquals(1, containers.asked.size());
    assertEquals(1, task.getAttempts().size());
    // The child, if it likes, asks for a container anywhere.
    give(copy(2, null, 0));
    settle();
    assertEquals(null, containers.asked.get(1).hosts());
  }

  @Test
  void aContainerThatComesWhenTheTaskIsOverGoesBack() throws Exception {
    give(copy(1, List.of("n3"), 0));
    settle();
    endTask();
    commands.granted(1, on("n3"));
    expect("release n3", "refused 1 not-running");
    assertEquals(1, task.getAttempts().size());
  }

  @Test
  void withTheTaskItsWaitingCopiesAreGivenUp() throws Exception {
    give(copy(1, List.of("n3"), 0));
    settle();
    endTask();
    TaskAttemptId first = task.getAttempts().keySet().iterator().next();
    post(() -> commands.attemptEnded(first));
    expect("withdraw 1", "refused 1 not-running");
    commands.granted(1, on("n3"));
    expect("release n3");
  }

  @Test
  void aCopyThatIsWithdrawnLeavesNoTrace() throws Exception {
    give(copy(1, List.of("n3"), 0));
    give(new ChildLine.Withdraw(2, 1));
    expect("withdraw 1", "refused 1 withdrawn", "done 2");
    commands.granted(1, on("n3"));
    commands.timedOut(1);
    expect("release n3");
    give(new ChildLine.Withdraw(3, 1));
    expect("refused 3 too-late");
    assertEquals(1, task.getAttempts().size());
  }

  @Test
  void withoutTheChildNothingIsDoneAnyMore() throws Exception {
    give(copy(1, List.of("n3"), 0));
    post(() -> commands.stop("child-lost"));
    expect("withdraw 1", "refused 1 child-lost");
    give(copy(2, null, 0));
    give(new ChildLine.Kill(3, "m_000000_0", ""));
    expect("refused 2 child-lost", "refused 3 child-lost");
  }
}
