package broomwagon.yarn.formats;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.mapred.FileOutputFormat;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RecordWriter;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.util.Progressable;

/**
 * Each key is the name of a file in the job's output directory, each value the next bytes of it.
 * The files are the attempt's own until Hadoop commits it.
 */
public final class PartOutputFormat extends FileOutputFormat<BytesWritable, BytesWritable> {
  @Override
  public RecordWriter<BytesWritable, BytesWritable> getRecordWriter(
      FileSystem ignored, JobConf conf, String name, Progressable progress) throws IOException {
    return new PartWriter(FileOutputFormat.getWorkOutputPath(conf), conf, progress);
  }

  private static final class PartWriter implements RecordWriter<BytesWritable, BytesWritable> {
    private final Path directory;
    private final FileSystem files;
    private final Progressable progress;
    private final Map<String, FSDataOutputStream> open = new HashMap<>();

    PartWriter(Path directory, JobConf conf, Progressable progress) throws IOException {
      this.directory = directory;
      this.files = directory.getFileSystem(conf);
      this.progress = progress;
    }

    @Override
    public void write(BytesWritable key, BytesWritable value) throws IOException {
      String name = new String(key.getBytes(), 0, key.getLength(), StandardCharsets.UTF_8);
      FSDataOutputStream out = open.get(name);
      if (out == null) {
        out = files.create(new Path(directory, name), progress);
        open.put(name, out);
      }
      out.write(value.getBytes(), 0, value.getLength());
    }

    @Override
    public void close(Reporter reporter) throws IOException {
      for (FSDataOutputStream out : open.values()) out.close();
    }
  }
}
