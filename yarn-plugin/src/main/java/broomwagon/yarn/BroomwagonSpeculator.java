package broomwagon.yarn;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.MRAppMaster;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobFinishEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobUpdatedNodesEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent.TaskAttemptStatus;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskTAttemptEvent;
import org.apache.hadoop.mapreduce.v2.app.speculate.Speculator;
import org.apache.hadoop.mapreduce.v2.app.speculate.SpeculatorEvent;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.service.AbstractService;
import org.apache.hadoop.service.Service;
import org.apache.hadoop.yarn.event.AsyncDispatcher;
import org.apache.hadoop.yarn.event.EventHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides on copies by asking a child process, which runs the policies. Works in any
 * ApplicationMaster of MapReduce, as {@code yarn.app.mapreduce.am.job.speculator.class}. If it
 * fails, the job continues without copies.
 */
public final class BroomwagonSpeculator extends AbstractService implements Speculator {
  private static final Logger LOG = LoggerFactory.getLogger(BroomwagonSpeculator.class);

  private final AppContext context;
  private Settings settings;
  private UserGroupInformation user;
  private MRAppMaster master;
  /** Null while there is nothing to decide. */
  private volatile Session session;
  private boolean finished;

  /** As Hadoop calls it. */
  public BroomwagonSpeculator(Configuration conf, AppContext context) {
    super(BroomwagonSpeculator.class.getName());
    this.context = context;
  }

  @Override
  protected void serviceStart() throws Exception {
    settings = new Settings(getConfig());
    user = UserGroupInformation.getCurrentUser();
    if (!settings.enabled()) {
      LOG.info("Broomwagon: no speculation in this job: broomwagon.enabled is false");
    } else if (context.getAllJobs().values().stream().noneMatch(Job::isUber)) {
      open();
    }
    super.serviceStart();
  }

  private void open() {
    try {
      String missing = Signatures.missing(Signatures.SPECULATOR);
      if (missing != null) throw new NoSuchMethodException(missing);
      master = Inside.master(context);
      Session opened = new Session(context, settings);
      session = opened;
      opened.start(master instanceof PlacingAppMaster, this::placement);
      listen(Inside.dispatcher(master));
      closeBeforeTheEnd();
    } catch (IOException e) {
      LOG.error("Broomwagon: no speculation from now on: the child cannot be started: {}",
          e.getMessage());
      session = null;
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      LOG.error("Broomwagon: no speculation from now on: this Hadoop is not as expected", e);
      if (session != null) session.end();
      session = null;
    }
  }

  /** A Speculator does not hear of ends; a second listener does. */
  private void listen(AsyncDispatcher dispatcher) {
    dispatcher.register(TaskEventType.class,
        (EventHandler<TaskEvent>) event -> guard(() -> task(event)));
    dispatcher.register(JobEventType.class,
        (EventHandler<JobEvent>) event -> guard(() -> job(event)));
    dispatcher.register(JobFinishEvent.Type.class,
        (EventHandler<JobFinishEvent>) event -> guard(this::jobFinished));
  }

  /**
   * The last of the AM's services is the first to be stopped, before the AM tells the
   * ResourceManager, and thus the client, that the job has ended: by then the journal is in its
   * place.
   */
  private void closeBeforeTheEnd() {
    var services = master.getServices();
    services.get(services.size() - 1).registerServiceListener(service -> {
      if (service.isInState(Service.STATE.STOPPED)) finish();
    });
  }

  @Override
  protected void serviceStop() throws Exception {
    finish();
    super.serviceStop();
  }

  private synchronized void finish() {
    Session ended = session;
    if (ended == null || finished) return;
    finished = true;
    ended.end();
    String to = settings.journal();
    if (to == null || !ended.journal().exists()) return;
    int attempt = context.getApplicationAttemptId().getAttemptId();
    try {
      var target = new Journal.Target(to, ended.jobId().toString(), attempt);
      LOG.info("Broomwagon: journal copied to {}", Journal.copy(ended.journal(), target,
          getConfig(), user, Journal.COPY_MAX_MS));
    } catch (IOException | RuntimeException e) {
      LOG.error("Broomwagon: the journal could not be copied to {}: {}", to, e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void handle(SpeculatorEvent event) {
    guard(() -> {
      if (event instanceof Session.OnEventThread ours) ours.run();
      else if (session.events() != null) tell(event);
    });
  }

  private Placement placement() {
    return master instanceof PlacingAppMaster ours ? ours.placement() : null;
  }

  private void tell(SpeculatorEvent event) {
    JobEvents events = session.events();
    switch (event.getType()) {
      case ATTEMPT_START -> events.started(event.getReportedStatus().id);
      case ATTEMPT_STATUS_UPDATE -> events.status(event.getReportedStatus());
      // The core itself counts the tasks that wait.
      case TASK_CONTAINER_NEED_UPDATE -> { }
      // The job exists when this service is started; its own event may have come before.
      case JOB_CREATE -> { }
    }
  }

  @Override
  public void handleAttempt(TaskAttemptStatus status) {
    guard(() -> {
      if (session.events() != null) session.events().status(status);
    });
  }

  private void task(TaskEvent event) {
    JobEvents events = session.events();
    if (events == null) return;
    switch (event.getType()) {
      case T_RECOVER -> events.recovered(event.getTaskID());
      case T_ATTEMPT_SUCCEEDED -> ended(event, TaskAttemptState.SUCCEEDED);
      case T_ATTEMPT_FAILED -> ended(event, TaskAttemptState.FAILED);
      case T_ATTEMPT_KILLED -> ended(event, TaskAttemptState.KILLED);
      default -> { }
    }
  }

  private void ended(TaskEvent event, TaskAttemptState state) {
    if (!(event instanceof TaskTAttemptEvent of)) return;
    session.events().ended(of.getTaskAttemptID(), state);
    session.commands().attemptEnded(of.getTaskAttemptID());
  }

  private void job(JobEvent event) {
    JobEvents events = session.events();
    if (events == null) return;
    if (event instanceof JobUpdatedNodesEvent update) events.nodes(update.getUpdatedNodes());
  }

  private void jobFinished() {
    if (session.events() == null) return;
    session.events().finished();
    session.commands().stop("job-ended");
  }

  /** No exception may leave our code on the AM's event thread: it would end the AM. */
  private void guard(Runnable work) {
    Session now = session;
    if (now == null) return;
    try {
      work.run();
    } catch (RuntimeException | LinkageError e) {
      now.fault(e);
    }
  }
}
