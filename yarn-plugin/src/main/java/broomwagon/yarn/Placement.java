package broomwagon.yarn;

import java.util.List;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.yarn.api.records.Container;

/**
 * Requests one container for each copy. The container comes before the attempt, so a copy without a
 * container never existed. No method blocks; all may be called on any thread.
 */
public interface Placement {
  /** Requests a container. One answer follows, unless the request is withdrawn. */
  void ask(Ask ask);

  /** Withdraws a request. A container that comes nevertheless is given back. */
  void withdraw(int command);

  /** The attempt, which is about to ask for a container, takes this one. */
  void give(TaskAttemptId attempt, Container container);

  /** Gives back a container that is not needed. */
  void release(Container container);

  /** Gives back the container of an attempt that ended before it asked for one. */
  void forget(TaskAttemptId attempt);

  /**
   * @param command the number of the request
   * @param hosts where it may run; null: anywhere
   * @param near where its input is, for a copy that may run anywhere
   * @param timeoutMs how long it may wait; 0: until withdrawn
   */
  record Ask(int command, TaskType type, List<String> hosts, List<String> near, long timeoutMs,
      Answers answers) { }

  /** Called on the thread that speaks with the ResourceManager. */
  interface Answers {
    void granted(int command, Container container);

    void timedOut(int command);
  }
}
