package broomwagon.yarn;

import java.lang.reflect.Method;
import java.util.List;
import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitMetaInfo;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.impl.MapTaskImpl;

/**
 * The split that a map reads, which only Hadoop's own package may access. Our class cannot be in
 * that package, since a job's own class loader ({@code mapreduce.job.classloader}) takes no class
 * of Hadoop's packages from our jar.
 */
final class Splits {
  private Splits() { }

  /** Bytes, and the hosts on which they lie. */
  record Split(long bytes, List<String> hosts) { }

  /** The split of the task, or null if it has none: a reduce. */
  static Split of(Task task) {
    if (!(task instanceof MapTaskImpl map)) return null;
    TaskSplitMetaInfo info = infoOf(map);
    String[] hosts = info.getLocations();
    return new Split(info.getInputDataLength(), hosts == null ? List.of() : List.of(hosts));
  }

  private static TaskSplitMetaInfo infoOf(MapTaskImpl map) {
    try {
      Method getter = MapTaskImpl.class.getDeclaredMethod("getTaskSplitMetaInfo");
      getter.setAccessible(true);
      return (TaskSplitMetaInfo) getter.invoke(map);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("a map that does not tell its split", e);
    }
  }
}
