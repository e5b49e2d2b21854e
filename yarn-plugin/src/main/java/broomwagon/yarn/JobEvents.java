package broomwagon.yarn;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.hadoop.mapreduce.v2.api.records.Avataar;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent.TaskAttemptStatus;
import org.apache.hadoop.mapreduce.v2.app.job.impl.JobImpl;
import org.apache.hadoop.mapreduce.v2.app.job.impl.TaskAttemptImpl;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.yarn.api.records.NodeReport;

/** Reports the job's events as lines, on the AM's event thread, after the AM has handled them. */
final class JobEvents {
  private static final int DIAGNOSTICS_MAX = 2000;

  /** Takes a line. */
  interface Teller {
    void say(String type, Consumer<ObjectNode> fill);
  }

  private final Teller teller;
  private final Job job;
  /** The attempt whose output counts, by task. */
  private final Map<TaskId, TaskAttemptId> winners = new HashMap<>();

  JobEvents(Teller teller, Job job) {
    this.teller = teller;
    this.job = job;
  }

  void created() {
    teller.say("job", line -> {
      line.put("job", job.getID().toString()).put("name", job.getName());
      line.put("user", job.getUserName()).put("queue", job.getQueueName());
      line.put("submittedAt", job.getReport().getSubmitTime());
      ArrayNode maps = line.putArray("maps");
      for (int i = 0; i < job.getTotalMaps(); i++) {
        ObjectNode split = maps.addObject();
        Splits.Split known = Splits.of(
            job.getTask(MRBuilderUtils.newTaskId(job.getID(), i, TaskType.MAP)));
        if (known != null) split.put("bytes", known.bytes());
        addAll(split.putArray("hosts"), known == null ? List.of() : known.hosts());
      }
      line.put("reduces", job.getTotalReduces());
    });
  }

  /** Reports a task that ended under an earlier AM. */
  void recovered(TaskId id) {
    Task task = job.getTask(id);
    for (TaskAttempt attempt : task.getAttempts().values()) {
      if (!attempt.isFinished()) continue;
      boolean succeeded = attempt.getState() == TaskAttemptState.SUCCEEDED;
      if (succeeded) winners.put(id, attempt.getID());
      teller.say("recovered", line -> {
        identify(line, attempt);
        line.put("state", lower(attempt.getState()));
        putHost(line, attempt);
        if (attempt.getNodeRackName() != null) line.put("rack", attempt.getNodeRackName());
        putInstant(line, "startedAt", attempt.getLaunchTime());
        putInstant(line, "endedAt", attempt.getFinishTime());
        if (succeeded) line.set("counters", CounterNumbers.of(attempt.getCounters()));
      });
    }
  }

  void started(TaskAttemptId id) {
    TaskAttempt attempt = attempt(id);
    boolean copy = attempt instanceof TaskAttemptImpl known
        && known.getAvataar() == Avataar.SPECULATIVE;
    teller.say("started", line -> {
      identify(line, attempt);
      putHost(line, attempt);
      line.put("rack", String.valueOf(attempt.getNodeRackName()));
      line.put("container", String.valueOf(attempt.getAssignedContainerID()));
      line.put("copy", copy);
    });
  }

  void status(TaskAttemptStatus status) {
    // For an attempt that succeeded without a report, Hadoop passes on an empty one.
    if (status.id == null) return;
    teller.say("status", line -> {
      line.put("attempt", Names.of(status.id)).put("progress", status.progress);
      line.put("phase", String.valueOf(status.phase));
      line.set("counters", CounterNumbers.of(status.counters));
    });
  }

  /** An attempt has ended, or the output of an ended one is gone. */
  void ended(TaskAttemptId id, TaskAttemptState state) {
    TaskId task = id.getTaskId();
    if (id.equals(winners.get(task))) {
      lostIfUndone(id);
      return;
    }
    boolean beaten = state == TaskAttemptState.SUCCEEDED && winners.containsKey(task);
    boolean won = state == TaskAttemptState.SUCCEEDED && !beaten;
    if (won) winners.put(task, id);
    TaskAttempt attempt = attempt(id);
    teller.say("ended", line -> {
      identify(line, attempt);
      line.put("state", lower(beaten ? TaskAttemptState.KILLED : state));
      putHost(line, attempt);
      if (won) line.set("counters", CounterNumbers.of(attempt.getCounters()));
      else putDiagnostics(line, attempt);
    });
  }

  /** Reduces, and maps without reduces after them, stay done whatever becomes of their node. */
  private void lostIfUndone(TaskAttemptId id) {
    if (job.getTask(id.getTaskId()).getState() == TaskState.SUCCEEDED) return;
    winners.remove(id.getTaskId());
    teller.say("output-lost", line -> line.put("attempt", Names.of(id))
        .put("task", Names.of(id.getTaskId())));
  }

  void nodes(List<NodeReport> reports) {
    for (NodeReport report : reports) {
      String state = report.getNodeState().isUnusable() ? "lost" : "usable";
      teller.say("node", line -> line.put("host", report.getNodeId().getHost())
          .put("state", state));
    }
  }

  /** Reports nothing if only this AM, not the job, has ended: another AM then continues. */
  void finished() {
    if (!(job instanceof JobImpl known)) return;
    String state = switch (known.getInternalState()) {
      case SUCCEEDED -> "succeeded";
      case FAILED -> "failed";
      case KILLED -> "killed";
      case ERROR -> "error";
      default -> null;
    };
    if (state == null) return;
    JobId id = job.getID();
    teller.say("job-ended", line -> line.put("job", id.toString()).put("state", state));
  }

  private TaskAttempt attempt(TaskAttemptId id) {
    return job.getTask(id.getTaskId()).getAttempt(id);
  }

  private static void identify(ObjectNode line, TaskAttempt attempt) {
    line.put("attempt", Names.of(attempt.getID()));
    line.put("task", Names.of(attempt.getID().getTaskId()));
  }

  private static void putHost(ObjectNode line, TaskAttempt attempt) {
    if (attempt.getNodeId() != null) line.put("host", attempt.getNodeId().getHost());
  }

  private static void putInstant(ObjectNode line, String key, long at) {
    if (at > 0) line.put(key, at);
  }

  private static void putDiagnostics(ObjectNode line, TaskAttempt attempt) {
    String text = String.join("\n", attempt.getDiagnostics()).strip();
    if (text.isEmpty()) return;
    line.put("diagnostics",
        text.length() <= DIAGNOSTICS_MAX ? text : text.substring(0, DIAGNOSTICS_MAX));
  }

  private static String lower(TaskAttemptState state) {
    return state.toString().toLowerCase(Locale.ROOT);
  }

  private static void addAll(ArrayNode array, List<String> texts) {
    for (String text : texts) array.add(text);
  }
}
