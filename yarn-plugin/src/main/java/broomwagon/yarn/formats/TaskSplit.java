package broomwagon.yarn.formats;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.WritableUtils;
import org.apache.hadoop.mapred.InputSplit;

/** A line of the task list. */
public final class TaskSplit implements InputSplit {
  private String line = "";
  private long bytes;
  private String[] hosts = {};

  /** For Hadoop, which then reads the fields. */
  public TaskSplit() {}

  TaskSplit(String line, long bytes, String[] hosts) {
    this.line = line;
    this.bytes = bytes;
    this.hosts = hosts;
  }

  String line() {
    return line;
  }

  @Override
  public long getLength() {
    return bytes;
  }

  @Override
  public String[] getLocations() {
    return hosts;
  }

  @Override
  public void write(DataOutput out) throws IOException {
    Text.writeString(out, line);
    WritableUtils.writeVLong(out, bytes);
    WritableUtils.writeStringArray(out, hosts);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    line = Text.readString(in);
    bytes = WritableUtils.readVLong(in);
    hosts = WritableUtils.readStringArray(in);
  }
}
