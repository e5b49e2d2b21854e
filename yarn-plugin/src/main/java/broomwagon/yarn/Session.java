package broomwagon.yarn;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.speculate.SpeculatorEvent;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.util.VersionInfo;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One child and one job: passes messages from each to the other. */
final class Session implements Child.Owner, Commands.Replies {
  static final int PROTOCOL = 1;
  private static final int UNANSWERED_MAX = 1000;
  private static final String CHILD_LOST = "child-lost";
  private static final Logger LOG = LoggerFactory.getLogger(BroomwagonSpeculator.class);

  private final AppContext context;
  private final Settings settings;
  private final JobId jobId;
  private final File journal = Journal.file();
  private final AtomicInteger unanswered = new AtomicInteger();
  /** Read by the child's reader alone. */
  private int lastCommand = -1;
  private volatile boolean lost;
  /** Null until it runs. */
  private Child child;
  /** These two are touched by the AM's event thread alone; null until the job is made. */
  private JobEvents events;
  private Commands commands;

  Session(AppContext context, Settings settings) {
    this.context = context;
    this.settings = settings;
    ApplicationId application = context.getApplicationID();
    jobId = MRBuilderUtils.newJobId(application, application.getId());
  }

  /**
   * Starts the child, greets it, and reports the job to it before the job's first event.
   *
   * @param canPlace whether our own AM runs
   * @param placements gives null if it does not
   */
  void start(boolean canPlace, Supplier<Placement> placements) throws IOException {
    String file = settings.policyFile();
    Path policy = file == null ? Bundle.unpack(Path.of(".")) : Path.of(file).toAbsolutePath();
    List<String> argv = List.of(settings.node(), policy.toString());
    child = Child.start(argv, context.getClock()::getTime, this);
    child.listen();
    LOG.info("Broomwagon: {} runs as process {}", String.join(" ", argv), child.pid());
    child.say("hello", line -> {
      String version = Session.class.getPackage().getImplementationVersion();
      line.put("protocol", PROTOCOL).put("plugin", version == null ? "unknown" : version);
      line.put("hadoop", VersionInfo.getVersion());
      line.put("application", context.getApplicationID().toString());
      line.put("amAttempt", context.getApplicationAttemptId().getAttemptId());
      line.put("user", context.getUser().toString()).put("journal", journal.getPath());
      line.set("capabilities", Json.object().put("placement", canPlace)
          .put("withdraw", canPlace));
      line.set("settings", settings.own());
      line.set("conf", settings.numbers());
    });
    post(() -> jobCreated(placements));
  }

  private void jobCreated(Supplier<Placement> placements) {
    Job job = context.getJob(jobId);
    events = new JobEvents(child::say, job);
    commands = new Commands(job, settings, this, placements, this::post);
    events.created();
  }

  /** Null until the job is made. */
  JobEvents events() {
    return events;
  }

  /** Null until the job is made. */
  Commands commands() {
    return commands;
  }

  /** The job has ended: tells the child, which completes its journal. */
  void end() {
    if (child != null) child.end();
  }

  File journal() {
    return journal;
  }

  JobId jobId() {
    return jobId;
  }

  /** A fault of our own must not reach the AM, which would end itself. */
  void fault(Throwable error) {
    LOG.error("Broomwagon: a fault of the plug-in", error);
    child.lose("a fault of the plug-in: " + error);
  }

  @Override
  public void heard(ChildLine line) {
    if (line instanceof ChildLine.Ready ready) {
      LOG.info("Broomwagon: {} decides", ready.discipline());
    } else if (line instanceof ChildLine.Idle idle) {
      LOG.error("Broomwagon: no speculation in this job: {}", idle.reason());
    } else if (line instanceof ChildLine.Log log) {
      log(log);
    } else if (line instanceof ChildLine.Command command) {
      take(command);
    }
  }

  private void take(ChildLine.Command command) {
    if (command.command() <= lastCommand) {
      child.lose("the child said what is not of the protocol: command " + command.command()
          + " after " + lastCommand);
      return;
    }
    lastCommand = command.command();
    if (unanswered.incrementAndGet() > UNANSWERED_MAX) {
      child.lose("the child has more than " + UNANSWERED_MAX + " commands without an answer");
      return;
    }
    LOG.info("Broomwagon: {}", command);
    post(() -> {
      if (lost) refused(command.command(), CHILD_LOST);
      else if (commands == null) refused(command.command(), "unknown");
      else commands.run(command);
    });
  }

  private static void log(ChildLine.Log log) {
    switch (log.level()) {
      case "error" -> LOG.error("Broomwagon: {}", log.text());
      case "warn" -> LOG.warn("Broomwagon: {}", log.text());
      default -> LOG.info("Broomwagon: {}", log.text());
    }
  }

  @Override
  public void lost(String why) {
    // Set before the line is written: a reader of the log relies on the line.
    lost = true;
    LOG.error("Broomwagon: no speculation from now on: {}", why);
    post(() -> {
      if (commands != null) commands.stop(CHILD_LOST);
    });
  }

  @Override
  public void done(int command, TaskAttemptId attempt) {
    unanswered.decrementAndGet();
    LOG.info("Broomwagon: command {} done {}", command, attempt == null ? "" : attempt);
    child.say("done", line -> {
      line.put("command", command);
      if (attempt != null) line.put("attempt", Names.of(attempt));
    });
  }

  @Override
  public void refused(int command, String reason) {
    unanswered.decrementAndGet();
    LOG.info("Broomwagon: command {} refused, {}", command, reason);
    child.say("refused", line -> line.put("command", command).put("reason", reason));
  }

  /** Runs work on the AM's event thread, where it is sent as an event to ourselves. */
  private void post(Runnable work) {
    context.getEventHandler().handle(new OnEventThread(jobId, work));
  }

  /** Of the type that the AM lets through to a Speculator at any time. */
  static final class OnEventThread extends SpeculatorEvent {
    private final Runnable work;

    OnEventThread(JobId job, Runnable work) {
      super(job, System.currentTimeMillis());
      this.work = work;
    }

    void run() {
      work.run();
    }
  }
}
