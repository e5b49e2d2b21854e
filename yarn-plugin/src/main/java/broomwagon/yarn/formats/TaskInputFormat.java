package broomwagon.yarn.formats;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.mapred.InputFormat;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RecordReader;
import org.apache.hadoop.mapred.Reporter;

/**
 * A map for each line of a task list, whose path is the value of {@link #TASKS}: JSON, of which
 * `hosts`, `bytes` and `copy` are read here. The whole line is the map's one record.
 */
public final class TaskInputFormat implements InputFormat<BytesWritable, BytesWritable> {
  public static final String TASKS = "broomwagon.tasks";

  @Override
  public InputSplit[] getSplits(JobConf conf, int wished) throws IOException {
    Path list = new Path(conf.get(TASKS));
    ObjectMapper json = new ObjectMapper();
    List<TaskSplit> splits = new ArrayList<>();
    try (BufferedReader lines = new BufferedReader(new InputStreamReader(
        list.getFileSystem(conf).open(list), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        JsonNode task = json.readTree(line);
        List<String> hosts = new ArrayList<>();
        for (JsonNode host : task.get("hosts")) hosts.add(host.asText());
        splits.add(new TaskSplit(line, task.get("bytes").asLong(), hosts.toArray(new String[0])));
      }
    }
    return splits.toArray(new InputSplit[0]);
  }

  @Override
  public RecordReader<BytesWritable, BytesWritable> getRecordReader(
      InputSplit split, JobConf conf, Reporter reporter) throws IOException {
    String line = ((TaskSplit) split).line();
    JsonNode copy = new ObjectMapper().readTree(line).get("copy");
    if (copy != null) new InputCopy(copy).make(conf, reporter);
    return new OneRecord(line.getBytes(StandardCharsets.UTF_8));
  }

  private static final class OneRecord implements RecordReader<BytesWritable, BytesWritable> {
    private final byte[] bytes;
    private boolean isRead;

    OneRecord(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public boolean next(BytesWritable key, BytesWritable value) {
      if (isRead) return false;
      isRead = true;
      value.set(bytes, 0, bytes.length);
      return true;
    }

    @Override
    public BytesWritable createKey() {
      return new BytesWritable();
    }

    @Override
    public BytesWritable createValue() {
      return new BytesWritable();
    }

    @Override
    public long getPos() {
      return isRead ? bytes.length : 0;
    }

    @Override
    public float getProgress() {
      // The runner reports its progress by its counters.
      return 0;
    }

    @Override
    public void close() {}
  }
}
