package org.apache.hadoop.mapred;

import java.io.IOException;
import java.util.List;

/** A TaskTracker, as far as the JobTracker hears of it: its heartbeats are told from outside. */
final class PlayedTracker {
  final String name;
  final String host;
  private final int mapSlots;
  private final int reduceSlots;
  private short heartbeats;

  PlayedTracker(String host, int mapSlots, int reduceSlots) {
    this.host = host;
    this.name = "tracker_" + host + ":localhost/127.0.0.1:1";
    this.mapSlots = mapSlots;
    this.reduceSlots = reduceSlots;
  }

  /** {@code asks}: whether it would take new tasks. */
  TaskTrackerAction[] heartbeat(JobTracker jobTracker, List<TaskStatus> reports, boolean asks)
      throws IOException {
    boolean isFirst = heartbeats == 0;
    HeartbeatResponse response =
        jobTracker.heartbeat(status(reports), false, isFirst, asks, heartbeats);
    heartbeats = response.getResponseId();
    return response.getActions();
  }

  /** What a heartbeat says; its disks are never full, and it is never ill. */
  TaskTrackerStatus status(List<TaskStatus> reports) {
    TaskTrackerStatus status =
        new TaskTrackerStatus(name, host, 1, reports, 0, 0, mapSlots, reduceSlots);
    status.getResourceStatus().setAvailableSpace(Long.MAX_VALUE);
    status.getHealthStatus().setNodeHealthy(true);
    return status;
  }
}
