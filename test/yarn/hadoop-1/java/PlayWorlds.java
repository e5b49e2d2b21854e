package org.apache.hadoop.mapred;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.codehaus.jackson.JsonNode;
import org.codehaus.jackson.map.ObjectMapper;

/**
 * Reads worlds from standard input, an event of JSON a line, and writes what Hadoop 1.2.1 answers
 * to each heartbeat: an array of texts. Once it is not what is {@code expected}, the rest of the
 * world is passed over, since Hadoop's course is then another one.
 */
final class PlayWorlds {
  private static final Logger ROOT = Logger.getLogger("");
  private static final ObjectMapper JSON = new ObjectMapper();

  private final PlayedCluster cluster;
  private final Set<TaskAttemptID> killed = new HashSet<>();
  private boolean isOver;

  private PlayWorlds(File directory) throws Exception {
    cluster = new PlayedCluster(directory);
  }

  /** The argument is a directory that Hadoop may write to. */
  public static void main(String[] arguments) {
    ROOT.setLevel(Level.SEVERE);
    int status = 1;
    try {
      playAll(new File(arguments[0]));
      status = 0;
    } catch (Throwable e) {
      e.printStackTrace();
    }
    // Hadoop's own threads would go on.
    System.exit(status);
  }

  private static void playAll(File directory) throws Exception {
    PlayWorlds player = new PlayWorlds(directory);
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      try {
        player.play(JSON.readTree(line), out);
      } catch (Exception e) {
        throw new IllegalStateException("at the event: " + line, e);
      }
    }
    out.flush();
  }

  private void play(JsonNode event, PrintStream out) throws Exception {
    String kind = event.get("event").getTextValue();
    if (kind.equals("world")) {
      cluster.beginAnew();
      isOver = false;
      out.println("{\"world\":" + event.get("seed") + "}");
    }
    if (isOver || kind.equals("world")) return;
    cluster.setNow(event.get("at").getLongValue());
    switch (kind) {
      case "join" -> cluster.join(
          event.get("host").getTextValue(),
          event.get("maps").getIntValue(),
          event.get("reduces").getIntValue());
      case "leave" -> cluster.leave(event.get("host").getTextValue());
      case "submit" -> cluster.submit(
          conf(event), JSON.readValue(event.get("replicas"), String[][].class));
      case "heartbeat" -> {
        List<String> answer = heartbeat(event);
        out.println(JSON.writeValueAsString(answer));
        isOver = !JSON.valueToTree(answer).equals(event.get("expected"));
      }
      default -> throw new IllegalArgumentException("unknown event");
    }
  }

  private static JobConf conf(JsonNode event) {
    JobConf conf = new JobConf(false);
    conf.setUser("user");
    conf.setJobName("job");
    conf.setJobPriority(JobPriority.valueOf(event.get("priority").getTextValue()));
    conf.setNumMapTasks(event.get("replicas").size());
    conf.setNumReduceTasks(event.get("reduces").getIntValue());
    conf.setSpeculativeExecution(event.get("speculate").getBooleanValue());
    conf.set("mapred.reduce.slowstart.completed.maps", event.get("slowstart").getValueAsText());
    return conf;
  }

  /** {@code launch ATTEMPT as KIND} in the answer's order, then {@code kill ATTEMPT} sorted. */
  private List<String> heartbeat(JsonNode event) throws IOException {
    String host = event.get("host").getTextValue();
    List<TaskStatus> reports = new ArrayList<>();
    for (JsonNode report : event.get("reports")) reports.add(status(host, report));
    List<String> launches = new ArrayList<>();
    TreeSet<String> kills = new TreeSet<>();
    boolean asks = event.get("asks").getBooleanValue();
    for (TaskTrackerAction action : cluster.heartbeat(host, reports, asks)) {
      if (action instanceof LaunchTaskAction launch) launches.add(launched(launch.getTask()));
      for (TaskStatus report : reports) {
        boolean runs = report.getRunState() == TaskStatus.State.RUNNING;
        TaskAttemptID id = report.getTaskID();
        // It may say so twice: of an attempt, and again of its job.
        if (runs && ends(action, id) && killed.add(id)) kills.add("kill " + nameOf(id));
      }
    }
    launches.addAll(kills);
    return launches;
  }

  private static boolean ends(TaskTrackerAction action, TaskAttemptID attempt) {
    if (action instanceof KillTaskAction kill) return kill.getTaskID().equals(attempt);
    return action instanceof KillJobAction kill && kill.getJobID().equals(attempt.getJobID());
  }

  private String launched(Task task) {
    TaskAttemptID id = task.getTaskID();
    int tip = id.getTaskID().getId();
    GivenJob job = cluster.job(cluster.numberOf(id.getJobID()));
    boolean isCopy = job.task(id.isMap(), tip).getActiveTasks().size() > 1;
    String as = isCopy ? "speculative" : id.getId() == 0 ? "new" : "again";
    return "launch " + nameOf(id) + " as " + as;
  }

  /** {@code JOB/map/TASK/ATTEMPT}. */
  private String nameOf(TaskAttemptID id) {
    String kind = id.isMap() ? "map" : "reduce";
    int job = cluster.numberOf(id.getJobID());
    return job + "/" + kind + "/" + id.getTaskID().getId() + "/" + id.getId();
  }

  private TaskAttemptID attempt(String name) {
    String[] words = name.split("/");
    JobID job = cluster.job(Integer.parseInt(words[0])).getJobID();
    TaskID task = new TaskID(job, words[1].equals("map"), Integer.parseInt(words[2]));
    return new TaskAttemptID(task, Integer.parseInt(words[3]));
  }

  private TaskStatus status(String host, JsonNode report) {
    TaskAttemptID id = attempt(report.get("attempt").getTextValue());
    TaskStatus.State state = TaskStatus.State.valueOf(report.get("state").getTextValue());
    float progress = (float) report.get("progress").getDoubleValue();
    TaskStatus.Phase phase = id.isMap() ? TaskStatus.Phase.MAP : TaskStatus.Phase.SHUFFLE;
    TaskStatus status = TaskStatus.createTaskStatus(id.isMap(), id, progress, 1, state, "", "",
        cluster.trackerName(host), phase, new Counters());
    status.setStartTime(1);
    for (JsonNode missed : report.get("missed")) {
      status.addFetchFailedMap(attempt(missed.getTextValue()));
    }
    return status;
  }
}
