package org.apache.hadoop.mapreduce.v2.app.job.impl;

import java.util.List;
import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitMetaInfo;
import org.apache.hadoop.mapreduce.v2.app.job.Task;

/** What only this package may ask of a map: which split it reads. */
public final class Splits {
  private Splits() { }

  /** Bytes, and the hosts on which they lie. */
  public record Split(long bytes, List<String> hosts) { }

  /** The split of the task, or null if it has none: a reduce. */
  public static Split of(Task task) {
    if (!(task instanceof MapTaskImpl map)) return null;
    TaskSplitMetaInfo info = map.getTaskSplitMetaInfo();
    String[] hosts = info.getLocations();
    return new Split(info.getInputDataLength(), hosts == null ? List.of() : List.of(hosts));
  }
}
