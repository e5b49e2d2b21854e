package broomwagon.yarn.formats;

import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.Partitioner;

/** The runner has decided which partition a key belongs to: its first four bytes say it. */
public final class PartitionOfKey implements Partitioner<BytesWritable, BytesWritable> {
  @Override
  public void configure(JobConf conf) {}

  @Override
  public int getPartition(BytesWritable key, BytesWritable value, int partitions) {
    byte[] bytes = key.getBytes();
    int partition = (bytes[0] & 0xff) << 24 | (bytes[1] & 0xff) << 16
        | (bytes[2] & 0xff) << 8 | bytes[3] & 0xff;
    if (partition < 0 || partition >= partitions) {
      throw new IllegalStateException(
          "a key of partition " + partition + ", where there are " + partitions);
    }
    return partition;
  }
}
