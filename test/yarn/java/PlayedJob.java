import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.yarn.event.EventHandler;
import org.apache.hadoop.yarn.util.Clock;

/**
 * A job of an ApplicationMaster whose course is told from outside, as far as a speculator and its
 * estimators look at it; whoever asks for more gets an exception.
 */
final class PlayedJob {
  private final JobId id = MRBuilderUtils.newJobId(1L, 1, 1);
  private final List<PlayedTask> tasks = new ArrayList<>();
  private final Map<TaskId, PlayedTask> byId = new HashMap<>();
  private final Map<TaskType, Integer> done = new HashMap<>();
  private long now;

  PlayedJob(int maps, int reduces) {
    for (int i = 0; i < maps; i++) add(TaskType.MAP, i);
    for (int i = 0; i < reduces; i++) add(TaskType.REDUCE, i);
  }

  private void add(TaskType type, int index) {
    PlayedTask task = new PlayedTask(MRBuilderUtils.newTaskId(id, index, type));
    tasks.add(task);
    byId.put(task.id, task);
  }

  void setNow(long at) {
    now = at;
  }

  long now() {
    return now;
  }

  PlayedTask task(int number) {
    return tasks.get(number);
  }

  int numberOf(TaskId task) {
    return tasks.indexOf(byId.get(task));
  }

  /** The first success of a task counts as its end. */
  void succeed(PlayedTask task, PlayedAttempt attempt) {
    attempt.state = TaskAttemptState.SUCCEEDED;
    if (!task.isDone) done.merge(task.id.getTaskType(), 1, Integer::sum);
    task.isDone = true;
  }

  /** The job takes back that the task was done: JobImpl, at JobMapTaskRescheduledEvent. */
  void lose(PlayedTask task, PlayedAttempt attempt) {
    attempt.state = TaskAttemptState.FAILED;
    done.merge(task.id.getTaskType(), -1, Integer::sum);
    task.isDone = false;
  }

  /** The context of the ApplicationMaster: its events go to {@code handler}. */
  AppContext context(EventHandler<?> handler) {
    Clock clock = this::now;
    Map<TaskType, Map<TaskId, Task>> ofType = new HashMap<>();
    for (TaskType type : TaskType.values()) ofType.put(type, new LinkedHashMap<>());
    for (PlayedTask task : tasks) ofType.get(task.id.getTaskType()).put(task.id, task.view);
    Job job = answering(Job.class, Map.of(
        "getID", a -> id,
        "getTask", a -> byId.get(a[0]).view,
        "getTasks", a -> ofType.get(a[0]),
        "getTotalMaps", a -> ofType.get(TaskType.MAP).size(),
        "getTotalReduces", a -> ofType.get(TaskType.REDUCE).size(),
        "getCompletedMaps", a -> countDone(TaskType.MAP),
        "getCompletedReduces", a -> countDone(TaskType.REDUCE)));
    return answering(AppContext.class, Map.of(
        "getJob", a -> id.equals(a[0]) ? job : null,
        "getAllJobs", a -> Map.of(id, job),
        "getEventHandler", a -> handler,
        "getClock", a -> clock));
  }

  private int countDone(TaskType type) {
    return done.getOrDefault(type, 0);
  }

  /** A task and its attempts, in the order of their creation. */
  static final class PlayedTask {
    final TaskId id;
    final Task view;
    private final List<PlayedAttempt> attempts = new ArrayList<>();
    private final Map<TaskAttemptId, TaskAttempt> views = new LinkedHashMap<>();
    private boolean isDone;

    PlayedTask(TaskId id) {
      this.id = id;
      view = answering(Task.class, Map.of(
          "getID", a -> id,
          "getType", a -> id.getTaskType(),
          "getAttempts", a -> views,
          "getAttempt", a -> views.get(a[0])));
    }

    PlayedAttempt add() {
      PlayedAttempt attempt =
          new PlayedAttempt(MRBuilderUtils.newTaskAttemptId(id, attempts.size()));
      attempts.add(attempt);
      views.put(attempt.id, attempt.view);
      return attempt;
    }

    PlayedAttempt attempt(int number) {
      return attempts.get(number);
    }
  }

  /** From its creation on STARTING, as Hadoop calls all that wait for a container or its launch. */
  static final class PlayedAttempt {
    final TaskAttemptId id;
    final TaskAttempt view;
    TaskAttemptState state = TaskAttemptState.STARTING;
    float progress;

    PlayedAttempt(TaskAttemptId id) {
      this.id = id;
      view = answering(TaskAttempt.class, Map.of(
          "getID", a -> id, "getState", a -> state, "getProgress", a -> progress));
    }
  }

  private static <T> T answering(Class<T> type, Map<String, Function<Object[], Object>> answers) {
    Object proxy = Proxy.newProxyInstance(
        type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
          switch (method.getName()) {
            case "hashCode": return System.identityHashCode(self);
            case "equals": return self == arguments[0];
            case "toString": return type.getSimpleName();
            default:
          }
          Function<Object[], Object> answer = answers.get(method.getName());
          if (answer == null) throw new UnsupportedOperationException(method.toString());
          return answer.apply(arguments);
        });
    return type.cast(proxy);
  }
}
