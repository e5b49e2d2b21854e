package org.apache.hadoop.mapred;

import java.io.IOException;
import org.apache.hadoop.mapreduce.split.JobSplit;

/** A job whose splits are given, in the place of files that a client would have written. */
final class GivenJob extends JobInProgress {
  private final String[][] replicas;

  /** {@code replicas} are the hosts of each map's input. */
  GivenJob(JobTracker tracker, JobID id, JobConf conf, String[][] replicas) throws IOException {
    super(id, conf, tracker);
    this.replicas = replicas;
    jobFile = "";
    priority = conf.getJobPriority();
    startTime = tracker.getClock().getTime();
    status.setStartTime(startTime);
    status.setJobPriority(priority);
  }

  @Override
  JobSplit.TaskSplitMetaInfo[] createSplits(org.apache.hadoop.mapreduce.JobID id) {
    JobSplit.TaskSplitMetaInfo[] splits = new JobSplit.TaskSplitMetaInfo[replicas.length];
    for (int i = 0; i < splits.length; i++) {
      splits[i] = new JobSplit.TaskSplitMetaInfo(replicas[i], 0, 1);
    }
    return splits;
  }

  TaskInProgress task(boolean isMap, int index) {
    return isMap ? maps[index] : reduces[index];
  }
}
