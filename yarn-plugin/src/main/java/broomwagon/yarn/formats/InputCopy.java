package broomwagon.yarn.formats;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.Progressable;

/**
 * A range of a file, copied into the container: under the file's own URI as a relative path, at the
 * same place in a sparse file of the same length.
 */
final class InputCopy {
  private static final int BLOCK_BYTES = 1 << 20;
  /** The bytes searched for a line's end at a time, beyond the range. */
  private static final int LINE_BYTES = 1 << 14;

  private final String path;
  private final long fileBytes;
  private final long head;
  private final long from;
  private final long to;
  private final boolean toLineEnd;
  private final byte[] block = new byte[BLOCK_BYTES];

  InputCopy(JsonNode copy) {
    this.path = copy.get("path").asText();
    this.fileBytes = copy.get("fileBytes").asLong();
    this.head = copy.get("head").asLong();
    this.from = copy.get("from").asLong();
    this.to = copy.get("to").asLong();
    this.toLineEnd = copy.get("toLineEnd").asBoolean();
  }

  void make(Configuration conf, Progressable progress) throws IOException {
    Path source = new Path(path);
    File target = new File(path);
    File directory = target.getParentFile();
    if (!directory.isDirectory() && !directory.mkdirs()) {
      throw new IOException("cannot make the directory " + directory);
    }
    long now = source.getFileSystem(conf).getFileStatus(source).getLen();
    try (FSDataInputStream in = source.getFileSystem(conf).open(source);
        RandomAccessFile out = new RandomAccessFile(target, "rw")) {
      // If the file's length has changed since the job was planned, the runner reports that.
      out.setLength(now);
      if (now != fileBytes) return;
      copy(in, out, 0, head, progress);
      copy(in, out, from, to, progress);
      if (toLineEnd) copyLineEnd(in, out, progress);
    }
  }

  private void copy(FSDataInputStream in, RandomAccessFile out, long start, long end,
      Progressable progress) throws IOException {
    in.seek(start);
    out.seek(start);
    for (long at = start; at < end; ) {
      int read = in.read(block, 0, (int) Math.min(block.length, end - at));
      if (read < 0) throw new EOFException(path + ": ends at " + at + ", expected " + end);
      out.write(block, 0, read);
      at += read;
      progress.progress();
    }
  }

  /** Copies on to the end of the line that holds the byte before {@link #to}. */
  private void copyLineEnd(FSDataInputStream in, RandomAccessFile out, Progressable progress)
      throws IOException {
    if (to == 0) return;
    in.seek(to - 1);
    out.seek(to - 1);
    for (int read = in.read(block, 0, LINE_BYTES); read >= 0;
        read = in.read(block, 0, LINE_BYTES)) {
      int end = lineEnd(read);
      out.write(block, 0, end < 0 ? read : end);
      if (end >= 0) return;
      progress.progress();
    }
  }

  /** The place after the first line end in the block, or -1. */
  private int lineEnd(int length) {
    for (int i = 0; i < length; i++) {
      if (block[i] == '\n') return i + 1;
    }
    return -1;
  }
}
