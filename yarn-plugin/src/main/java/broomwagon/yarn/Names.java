package broomwagon.yarn;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;

/** The protocol's names: {@code m_000003} for a task, {@code m_000003_0} for an attempt of it. */
final class Names {
  private static final Pattern NAME = Pattern.compile("([mr])_(\\d{6,9})(?:_(\\d{1,9}))?");

  private Names() { }

  static String of(TaskId task) {
    return String.format("%s_%06d", task.getTaskType() == TaskType.MAP ? "m" : "r", task.getId());
  }

  static String of(TaskAttemptId attempt) {
    return of(attempt.getTaskId()) + "_" + attempt.getId();
  }

  /** The task of that name, or null if it is no task's name. */
  static TaskId task(JobId job, String name) {
    Matcher parts = NAME.matcher(name);
    return parts.matches() && parts.group(3) == null ? task(job, parts) : null;
  }

  /** The attempt of that name, or null if it is no attempt's name. */
  static TaskAttemptId attempt(JobId job, String name) {
    Matcher parts = NAME.matcher(name);
    if (!parts.matches() || parts.group(3) == null) return null;
    return MRBuilderUtils.newTaskAttemptId(task(job, parts), Integer.parseInt(parts.group(3)));
  }

  private static TaskId task(JobId job, Matcher parts) {
    TaskType type = parts.group(1).equals("m") ? TaskType.MAP : TaskType.REDUCE;
    return MRBuilderUtils.newTaskId(job, Integer.parseInt(parts.group(2)), type);
  }
}
