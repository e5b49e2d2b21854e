package org.apache.hadoop.mapred;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.net.DNSToSwitchMapping;

/**
 * Hadoop's own JobTracker with its JobQueueTaskScheduler; trackers, jobs and clock are played.
 * The tasks that set a job up, and clean up after it or after a lost attempt, take no time and no
 * slot.
 */
final class PlayedCluster {
  private final PlayedClock clock = new PlayedClock();
  private final JobTracker jobTracker;
  private final Map<String, PlayedTracker> trackers = new LinkedHashMap<>();
  private final Map<Integer, GivenJob> jobs = new LinkedHashMap<>();
  private int jobsBefore;

  PlayedCluster(File directory) throws Exception {
    System.setProperty("hadoop.log.dir", directory.toString());
    JobConf conf = new JobConf();
    conf.set("hadoop.tmp.dir", directory.toString());
    conf.set("mapred.local.dir", new File(directory, "local").toString());
    conf.set("mapred.system.dir", new File(directory, "system").toURI().toString());
    conf.set("hadoop.job.history.location", new File(directory, "history").toURI().toString());
    conf.set("hadoop.job.history.user.location", "none");
    conf.set("mapred.job.tracker", "localhost:0");
    conf.set("mapred.job.tracker.http.address", "localhost:0");
    conf.setInt("mapred.job.tracker.handler.count", 1);
    conf.setClass("topology.node.switch.mapping.impl", RackInName.class, DNSToSwitchMapping.class);
    jobTracker = new JobTracker(conf, "1", clock);
    jobTracker.initializeFilesystem();
    jobTracker.initialize();
    JobQueueTaskScheduler scheduler = (JobQueueTaskScheduler) hidden("taskScheduler");
    scheduler.setTaskTrackerManager(jobTracker);
    // Not start(): a thread of it would set jobs up whenever it likes.
    jobTracker.addJobInProgressListener(scheduler.jobQueueJobInProgressListener);
  }

  void setNow(long at) {
    clock.now = at;
  }

  /** A cluster without trackers and jobs. */
  void beginAnew() throws IOException {
    settle();
    for (GivenJob job : jobs.values()) {
      if (!job.isComplete()) job.kill();
    }
    settle();
    for (String host : List.copyOf(trackers.keySet())) leave(host);
    jobsBefore += jobs.size();
    jobs.clear();
  }

  void join(String host, int mapSlots, int reduceSlots) throws IOException {
    PlayedTracker tracker = new PlayedTracker(host, mapSlots, reduceSlots);
    trackers.put(host, tracker);
    tracker.heartbeat(jobTracker, List.of(), false);
    settle();
  }

  /** The tracker is lost. */
  void leave(String host) throws IOException {
    jobTracker.decommissionNodes(Set.of(host));
    trackers.remove(host);
    settle();
  }

  /** Jobs are numbered from 0 in the order in which they come. */
  void submit(JobConf conf, String[][] replicas) throws Exception {
    JobID id = new JobID("1", jobsBefore + jobs.size());
    GivenJob job = new GivenJob(jobTracker, id, conf, replicas);
    jobs.put(jobs.size(), job);
    call("addJob", new Class<?>[] {JobID.class, JobInProgress.class}, id, job);
    jobTracker.initJob(job);
    if (!job.inited()) throw new IOException(job.getStatus().getFailureInfo());
    settle();
  }

  GivenJob job(int number) {
    return jobs.get(number);
  }

  int numberOf(org.apache.hadoop.mapreduce.JobID job) {
    return job.getId() - jobsBefore;
  }

  /** A tracker that asks for tasks does so once the jobs that it has ended are cleaned up. */
  List<TaskTrackerAction> heartbeat(String host, List<TaskStatus> reports, boolean asks)
      throws IOException {
    PlayedTracker tracker = trackers.get(host);
    List<TaskTrackerAction> actions = new ArrayList<>();
    Collections.addAll(actions, tracker.heartbeat(jobTracker, reports, false));
    settle();
    if (!asks) return actions;
    List<TaskStatus> running = new ArrayList<>();
    for (TaskStatus report : reports) {
      report.clearStatus();
      if (report.getRunState() == TaskStatus.State.RUNNING) running.add(report);
    }
    Collections.addAll(actions, tracker.heartbeat(jobTracker, running, true));
    settle();
    return actions;
  }

  String trackerName(String host) {
    return trackers.get(host).name;
  }

  /** Sets up, and cleans up, whatever is to be; Hadoop would give these tasks to trackers first. */
  private void settle() throws IOException {
    for (GivenJob job : jobs.values()) {
      for (PlayedTracker tracker : trackers.values()) {
        TaskTrackerStatus status = tracker.status(List.of());
        int hosts = jobTracker.getNumberOfUniqueHosts();
        int size = jobTracker.getClusterStatus().getTaskTrackers();
        finish(tracker, job.obtainJobSetupTask(status, size, hosts, true));
        for (boolean isMap : new boolean[] {true, false}) {
          while (finish(tracker, job.obtainTaskCleanupTask(status, isMap))) {}
        }
        finish(tracker, job.obtainJobCleanupTask(status, size, hosts, true));
      }
    }
  }

  /** Returns whether there was a task. */
  private boolean finish(PlayedTracker tracker, Task task) {
    if (task == null) return false;
    TaskStatus.State end =
        task.isTaskCleanupTask() ? TaskStatus.State.KILLED : TaskStatus.State.SUCCEEDED;
    jobTracker.updateTaskStatuses(tracker.status(List.of(
        TaskStatus.createTaskStatus(task.isMapTask(), task.getTaskID(), 1, 1, end, "", "",
            tracker.name, TaskStatus.Phase.CLEANUP, new Counters()))));
    call("removeMarkedTasks", new Class<?>[] {String.class}, tracker.name);
    return true;
  }

  private void call(String name, Class<?>[] types, Object... arguments) {
    try {
      Method method = JobTracker.class.getDeclaredMethod(name, types);
      method.setAccessible(true);
      method.invoke(jobTracker, arguments);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(name, e);
    }
  }

  private Object hidden(String name) throws ReflectiveOperationException {
    Field field = JobTracker.class.getDeclaredField(name);
    field.setAccessible(true);
    return field.get(jobTracker);
  }

  private static final class PlayedClock extends Clock {
    long now;

    @Override
    long getTime() {
      return now;
    }
  }

  /** A host is called {@code RACK-NAME}. */
  public static final class RackInName implements DNSToSwitchMapping {
    @Override
    public List<String> resolve(List<String> hosts) {
      List<String> racks = new ArrayList<>();
      for (String host : hosts) racks.add("/" + host.substring(0, host.indexOf('-')));
      return racks;
    }
  }
}
