package broomwagon.yarn;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.Callable;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;

/**
 * Polls until a condition holds. Jobs run on threads of their own, so tests wait for an effect, for
 * longer than any machine takes.
 */
public final class Await {
  private static final long MAX_MS = 120_000;

  private Await() { }

  /** Fails, naming it, if it never holds. */
  public static void until(String what, Callable<Boolean> holds) throws Exception {
    long end = System.nanoTime() + MAX_MS * 1_000_000;
    while (!holds.call()) {
      assertTrue(System.nanoTime() - end < 0, what);
      Thread.sleep(20);
    }
  }

  /** The attempt of that number of the job's first task of the type, as soon as it runs. */
  public static TaskAttempt running(Job job, TaskType type, int number) throws Exception {
    return running(job.getTask(MRBuilderUtils.newTaskId(job.getID(), 0, type)), number);
  }

  /** The task's attempt of that number, as soon as it runs. */
  public static TaskAttempt running(Task task, int number) throws Exception {
    TaskAttemptId id = MRBuilderUtils.newTaskAttemptId(task.getID(), number);
    until(id + " runs", () -> {
      TaskAttempt attempt = task.getAttempt(id);
      return attempt != null && attempt.getState() == TaskAttemptState.RUNNING;
    });
    return task.getAttempt(id);
  }
}
