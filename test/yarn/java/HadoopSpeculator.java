import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent.TaskAttemptStatus;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEventType;
import org.apache.hadoop.mapreduce.v2.app.speculate.DefaultSpeculator;
import org.apache.hadoop.mapreduce.v2.app.speculate.SpeculatorEvent;
import org.apache.hadoop.mapreduce.v2.app.speculate.TaskRuntimeEstimator;
import org.apache.hadoop.yarn.event.EventHandler;

/** Hadoop's own DefaultSpeculator and one of its estimators, beside a job that is played to it. */
final class HadoopSpeculator {
  private static final String PACKAGE = DefaultSpeculator.class.getPackageName();

  private final PlayedJob job;
  private final DefaultSpeculator speculator;
  private final Method computeSpeculations;
  private final List<Integer> copied = new ArrayList<>();

  HadoopSpeculator(PlayedJob job, String estimatorName, Map<String, String> settings)
      throws ReflectiveOperationException {
    this.job = job;
    Configuration conf = new Configuration(false);
    settings.forEach(conf::set);
    EventHandler<TaskEvent> handler = this::decided;
    AppContext context = job.context(handler);
    TaskRuntimeEstimator estimator = Class.forName(PACKAGE + "." + estimatorName)
        .asSubclass(TaskRuntimeEstimator.class).getConstructor().newInstance();
    estimator.contextualize(conf, context);
    speculator = new DefaultSpeculator(conf, context, estimator, job::now);
    speculator.init(conf);
    // Its thread waits by the wall clock: what it calls is called here, when the played clock says.
    computeSpeculations = DefaultSpeculator.class.getDeclaredMethod("computeSpeculations");
    computeSpeculations.setAccessible(true);
  }

  private void decided(TaskEvent event) {
    if (event.getType() != TaskEventType.T_ADD_SPEC_ATTEMPT) {
      throw new IllegalStateException("not a copy: " + event.getType());
    }
    copied.add(job.numberOf(event.getTaskID()));
  }

  /** What it copied, and the time at which its thread would look again. */
  String look() throws ReflectiveOperationException {
    copied.clear();
    int speculations = (int) computeSpeculations.invoke(speculator);
    long restMs = speculations > 0
        ? speculator.getSoonestRetryAfterSpeculate()
        : speculator.getSoonestRetryAfterNoSpeculate();
    return job.now() + " " + (job.now() + restMs) + " " + copied;
  }

  /** The events that the ApplicationMaster's tasks and attempts send to their speculator. */
  void play(String kind, PlayedJob.PlayedTask task, int number, String[] rest) {
    if (kind.equals("add")) {
      if (task.add() != task.attempt(number)) throw new IllegalStateException("not the next one");
      tell(new SpeculatorEvent(task.id, +1));
      return;
    }
    PlayedJob.PlayedAttempt attempt = task.attempt(number);
    switch (kind) {
      case "assign" -> tell(new SpeculatorEvent(task.id, -1));
      case "drop" -> {
        attempt.state = TaskAttemptState.KILLED;
        tell(new SpeculatorEvent(task.id, -1));
      }
      case "start" -> {
        attempt.state = TaskAttemptState.RUNNING;
        tell(new SpeculatorEvent(attempt.id, true, job.now()));
      }
      case "progress" -> {
        attempt.progress = Float.parseFloat(rest[0]);
        tell(statusOf(attempt));
      }
      case "succeed" -> {
        job.succeed(task, attempt);
        tell(statusOf(attempt));
      }
      case "lose" -> job.lose(task, attempt);
      case "fail" -> attempt.state = TaskAttemptState.FAILED;
      case "kill" -> attempt.state = TaskAttemptState.KILLED;
      default -> throw new IllegalArgumentException(kind);
    }
  }

  private SpeculatorEvent statusOf(PlayedJob.PlayedAttempt attempt) {
    TaskAttemptStatus status = new TaskAttemptStatus();
    status.id = attempt.id;
    status.progress = attempt.progress;
    status.taskState = attempt.state;
    status.stateString = attempt.state.name();
    return new SpeculatorEvent(status, job.now());
  }

  private void tell(SpeculatorEvent event) {
    speculator.handle(event);
  }
}
