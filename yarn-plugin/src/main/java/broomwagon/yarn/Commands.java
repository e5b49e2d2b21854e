package broomwagon.yarn;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptKillEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEventType;
import org.apache.hadoop.mapreduce.v2.app.job.impl.TaskAttemptImpl;
import org.apache.hadoop.mapreduce.v2.app.job.impl.TaskImpl;
import org.apache.hadoop.yarn.api.records.Container;

/**
 * Executes the child's commands, if they are allowed now. All of it runs on the AM's event thread,
 * the only one that changes tasks, so that a check still holds when the command is executed: an
 * attempt added to a task that does not run would end the whole job.
 */
final class Commands implements Placement.Answers {
  /** Reports the outcome of a command to the child. */
  interface Replies {
    /** @param attempt the new one, or null */
    void done(int command, TaskAttemptId attempt);

    void refused(int command, String reason);
  }

  private final Job job;
  private final Settings settings;
  private final Replies replies;
  /** Gives null under Hadoop's own AM. */
  private final Supplier<Placement> placements;
  /** Runs work on the AM's event thread. */
  private final Consumer<Runnable> post;
  private final Set<Integer> copies = new HashSet<>();
  /** Copies that wait for their container. */
  private final Map<Integer, TaskId> waiting = new LinkedHashMap<>();
  /** Why no more commands are executed, or null. */
  private String stopped;

  Commands(Job job, Settings settings, Replies replies, Supplier<Placement> placements,
      Consumer<Runnable> post) {
    this.job = job;
    this.settings = settings;
    this.replies = replies;
    this.placements = placements;
    this.post = post;
  }

  void run(ChildLine.Command command) {
    if (stopped != null) replies.refused(command.command(), stopped);
    else if (command instanceof ChildLine.Copy copy) copy(copy);
    else if (command instanceof ChildLine.Kill kill) kill(kill);
    else if (command instanceof ChildLine.Withdraw withdraw) withdraw(withdraw);
  }

  private void copy(ChildLine.Copy copy) {
    copies.add(copy.command());
    TaskId id = Names.task(job.getID(), copy.task());
    Task task = id == null ? null : job.getTask(id);
    Placement placement = placements.get();
    String refusal = refusal(copy, task, placement);
    if (refusal != null) {
      replies.refused(copy.command(), refusal);
    } else if (placement == null) {
      TaskAttemptId attempt = add(task);
      if (attempt == null) replies.refused(copy.command(), "not-running");
      else replies.done(copy.command(), attempt);
    } else {
      Splits.Split split = Splits.of(task);
      waiting.put(copy.command(), id);
      long timeoutMs = copy.timeoutMs() > 0 || copy.hosts() == null ? copy.timeoutMs()
          : settings.placementTimeoutMs();
      placement.ask(new Placement.Ask(copy.command(), id.getTaskType(), copy.hosts(),
          split == null ? List.of() : split.hosts(), timeoutMs, this));
    }
  }

  /** Why this copy is impossible, or null. */
  private String refusal(ChildLine.Copy copy, Task task, Placement placement) {
    if (task == null || (copy.hosts() != null && copy.hosts().isEmpty())) return "unknown";
    if (!settings.speculates(TypeConverter.fromYarn(task.getType()))) return "not-allowed";
    if (copy.hosts() != null && placement == null) return "no-placement";
    return task.getState() == TaskState.RUNNING ? null : "not-running";
  }

  /** One more attempt of the task; null if Hadoop made none. */
  private TaskAttemptId add(Task task) {
    if (task.getState() != TaskState.RUNNING || !(task instanceof TaskImpl known)) return null;
    Set<TaskAttemptId> before = new HashSet<>(task.getAttempts().keySet());
    known.handle(new TaskEvent(task.getID(), TaskEventType.T_ADD_SPEC_ATTEMPT));
    for (TaskAttemptId attempt : task.getAttempts().keySet()) {
      if (!before.contains(attempt)) return attempt;
    }
    return null;
  }

  @Override
  public void granted(int command, Container container) {
    post.accept(() -> {
      Placement placement = placements.get();
      TaskId id = waiting.remove(command);
      TaskAttemptId attempt = id == null ? null : add(job.getTask(id));
      if (attempt == null) {
        placement.release(container);
        if (id != null) replies.refused(command, "not-running");
      } else {
        placement.give(attempt, container);
        replies.done(command, attempt);
      }
    });
  }

  @Override
  public void timedOut(int command) {
    post.accept(() -> {
      if (waiting.remove(command) != null) replies.refused(command, "time-out");
    });
  }

  private void withdraw(ChildLine.Withdraw withdraw) {
    int of = withdraw.of();
    if (waiting.remove(of) != null) {
      placements.get().withdraw(of);
      replies.refused(of, "withdrawn");
      replies.done(withdraw.command(), null);
    } else {
      replies.refused(withdraw.command(), copies.contains(of) ? "too-late" : "unknown");
    }
  }

  private void kill(ChildLine.Kill kill) {
    TaskAttemptId id = Names.attempt(job.getID(), kill.attempt());
    Task task = id == null ? null : job.getTask(id.getTaskId());
    TaskAttempt attempt = task == null ? null : task.getAttempt(id);
    if (!(attempt instanceof TaskAttemptImpl known)) {
      replies.refused(kill.command(), "unknown");
    } else if (task.getState() != TaskState.RUNNING || attempt.isFinished()) {
      replies.refused(kill.command(), "not-running");
    } else {
      known.handle(new TaskAttemptKillEvent(id, "Broomwagon: " + kill.rule()));
      replies.done(kill.command(), null);
    }
  }

  /** An attempt has ended: copies that wait for its task may have become useless. */
  void attemptEnded(TaskAttemptId attempt) {
    Placement placement = placements.get();
    if (placement == null) return;
    placement.forget(attempt);
    TaskId task = attempt.getTaskId();
    if (job.getTask(task).getState() == TaskState.RUNNING) return;
    for (var copy : List.copyOf(waiting.entrySet())) {
      if (copy.getValue().equals(task)) giveUp(copy.getKey(), "not-running");
    }
  }

  /** Executes no more commands. */
  void stop(String reason) {
    stopped = reason;
    for (int command : List.copyOf(waiting.keySet())) giveUp(command, reason);
  }

  private void giveUp(int command, String reason) {
    waiting.remove(command);
    placements.get().withdraw(command);
    replies.refused(command, reason);
  }
}
