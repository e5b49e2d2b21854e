package broomwagon.yarn.formats;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RecordWriter;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapreduce.JobContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PartOutputFormatTest {
  @TempDir
  Path directory;

  @Test
  void eachNameIsAFileOfItsBytesInTheirOrder() throws IOException {
    JobConf conf = new JobConf(false);
    conf.set(JobContext.TASK_OUTPUT_DIR, directory.toUri().toString());
    RecordWriter<BytesWritable, BytesWritable> writer =
        new PartOutputFormat().getRecordWriter(null, conf, "part-00000", () -> {});
    writer.write(bytes("output-0/part-00001"), bytes(""));
    writer.write(bytes("output-0/part-00001"), bytes("one "));
    writer.write(bytes("results/7.ndjson"), bytes("{}\n"));
    writer.write(bytes("output-0/part-00001"), bytes("two"));
    writer.write(bytes("empty"), bytes(""));
    writer.close(Reporter.NULL);
    assertEquals("one two", Files.readString(directory.resolve("output-0/part-00001")));
    assertEquals("{}\n", Files.readString(directory.resolve("results/7.ndjson")));
    assertEquals("", Files.readString(directory.resolve("empty")));
  }

  @Test
  void aKeyBeginsWithItsPartition() {
    PartitionOfKey partitioner = new PartitionOfKey();
    byte[] key = ByteBuffer.allocate(12).putInt(259).putInt(1).putInt(2).array();
    assertEquals(259, partitioner.getPartition(new BytesWritable(key), null, 260));
    assertThrows(
        IllegalStateException.class,
        () -> partitioner.getPartition(new BytesWritable(key), null, 259));
  }

  private static BytesWritable bytes(String text) {
    return new BytesWritable(text.getBytes(StandardCharsets.UTF_8));
  }
}
