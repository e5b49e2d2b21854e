package broomwagon.yarn;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Set;
import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.CounterGroup;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.FileSystemCounter;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormatCounter;

/** The counters of an attempt that the protocol includes. */
final class CounterNumbers {
  /** The group of the counters of programs in our own containers. */
  private static final String OURS = "Broomwagon";
  private static final String BYTES_READ = "BYTES_READ";
  private static final Set<String> TASK = Set.of("MAP_INPUT_RECORDS", "MAP_OUTPUT_RECORDS",
      "MAP_OUTPUT_BYTES", "MAP_OUTPUT_MATERIALIZED_BYTES", "REDUCE_SHUFFLE_BYTES",
      "REDUCE_INPUT_RECORDS", "REDUCE_OUTPUT_RECORDS");

  private CounterNumbers() { }

  /** @param counters may be null; reading them makes no new ones */
  static ObjectNode of(Counters counters) {
    ObjectNode hadoop = Json.object();
    ObjectNode ours = Json.object();
    long filesRead = 0;
    if (counters != null) {
      for (CounterGroup group : counters) {
        String name = group.getName();
        if (name.equals(OURS)) pick(group, null, ours);
        else if (name.equals(TaskCounter.class.getName())) pick(group, TASK, hadoop);
        else if (name.equals(FileInputFormatCounter.class.getName())) {
          pick(group, Set.of(BYTES_READ), hadoop);
        } else if (name.equals(FileSystemCounter.class.getName())) filesRead += read(group);
      }
    }
    if (filesRead > 0 && !hadoop.has(BYTES_READ)) hadoop.put(BYTES_READ, filesRead);
    ObjectNode both = Json.object();
    both.set("hadoop", hadoop);
    both.set("broomwagon", ours);
    return both;
  }

  private static void pick(CounterGroup group, Set<String> names, ObjectNode into) {
    for (Counter counter : group) {
      boolean wanted = names == null || names.contains(counter.getName());
      if (wanted && counter.getValue() != 0) into.put(counter.getName(), counter.getValue());
    }
  }

  /** The bytes read from all file systems but the local one, which is Hadoop's own shuffle. */
  private static long read(CounterGroup group) {
    long bytes = 0;
    for (Counter counter : group) {
      String name = counter.getName();
      if (name.endsWith("_BYTES_READ") && !name.startsWith("FILE_")) bytes += counter.getValue();
    }
    return bytes;
  }
}
