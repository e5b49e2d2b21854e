package broomwagon.yarn.formats;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RecordReader;
import org.apache.hadoop.mapred.Reporter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies are below the working directory, as in a container. */
final class TaskInputFormatTest {
  private static final String TASK = "\"task\":{\"kind\":\"pass-on\",\"source\":7}";

  @TempDir
  Path directory;

  @AfterEach
  void removeCopies() {
    FileUtil.fullyDelete(new File("file:"));
  }

  @Test
  void eachLineIsASplitThatKnowsItsHostsAndTravels() throws IOException {
    String first = "{\"hosts\":[\"n1\",\"n2\"],\"bytes\":5," + TASK + "}";
    String second = "{\"hosts\":[],\"bytes\":9," + TASK + "}";
    InputSplit[] splits = new TaskInputFormat().getSplits(listOf(first + "\n" + second + "\n"), 1);
    assertEquals(2, splits.length);
    TaskSplit travelled = new TaskSplit();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    splits[0].write(new DataOutputStream(bytes));
    travelled.readFields(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
    assertEquals(5, travelled.getLength());
    assertArrayEquals(new String[] {"n1", "n2"}, travelled.getLocations());
    assertEquals(first, travelled.line());
    assertEquals(9, splits[1].getLength());
  }

  @Test
  void theLineIsTheOneRecord() throws IOException {
    String line = "{\"hosts\":[],\"bytes\":9," + TASK + ",\"more\":\"ä\"}";
    RecordReader<BytesWritable, BytesWritable> reader = readerOf(line);
    BytesWritable key = reader.createKey();
    BytesWritable value = reader.createValue();
    assertTrue(reader.next(key, value));
    assertEquals(0, key.getLength());
    assertEquals(line, new String(value.copyBytes(), StandardCharsets.UTF_8));
    assertFalse(reader.next(key, value));
  }

  @Test
  void aRangeIsCopiedToTheEndOfItsLineAndTheRestIsAHole() throws IOException {
    String text = "head\none\n" + "x".repeat(40_000) + "\nlast";
    Path copy = copied(text, 4, 7, 12, true);
    String hole = "\0";
    String expected = "head" + hole.repeat(3) + text.substring(7, 40_010) + hole.repeat(4);
    assertEquals(expected, Files.readString(copy));
  }

  @Test
  void aLineThatEndsWithTheRangeIsItsLast() throws IOException {
    Path copy = copied("one\ntwo\nthree\n", 0, 3, 8, true);
    assertEquals("\0\0\0\ntwo\n\0\0\0\0\0\0", Files.readString(copy));
  }

  @Test
  void theLastLineNeedsNoEnd() throws IOException {
    Path copy = copied("one\ntwo", 0, 3, 5, true);
    assertEquals("\0\0\0\ntwo", Files.readString(copy));
  }

  @Test
  void aRangeThatIsExactEndsWhereItEnds() throws IOException {
    Path copy = copied("0123456789", 0, 2, 6, false);
    assertEquals("\0\0" + "2345" + "\0\0\0\0", Files.readString(copy));
  }

  @Test
  void ofAFileThatHasChangedOnlyTheLengthIsTold() throws IOException {
    Path file = directory.resolve("a.txt");
    Files.writeString(file, "longer");
    readerOf(lineOf(file, 3, 0, 0, 3, false));
    assertEquals("\0".repeat(6), Files.readString(Path.of("file:" + file)));
  }

  private Path copied(String text, long head, long from, long to, boolean toLineEnd)
      throws IOException {
    Path file = directory.resolve("a.txt");
    Files.writeString(file, text);
    readerOf(lineOf(file, text.length(), head, from, to, toLineEnd));
    return Path.of("file:" + file);
  }

  private static String lineOf(
      Path file, long bytes, long head, long from, long to, boolean toLineEnd) {
    return "{\"hosts\":[],\"bytes\":1,\"copy\":{\"path\":\"file:" + file
        + "\",\"fileBytes\":" + bytes + ",\"head\":" + head + ",\"from\":" + from
        + ",\"to\":" + to + ",\"toLineEnd\":" + toLineEnd + "}," + TASK + "}";
  }

  private RecordReader<BytesWritable, BytesWritable> readerOf(String line) throws IOException {
    TaskInputFormat format = new TaskInputFormat();
    JobConf conf = listOf(line);
    return format.getRecordReader(format.getSplits(conf, 1)[0], conf, Reporter.NULL);
  }

  private JobConf listOf(String lines) throws IOException {
    Path list = directory.resolve("tasks");
    Files.writeString(list, lines);
    JobConf conf = new JobConf(false);
    conf.set(TaskInputFormat.TASKS, list.toUri().toString());
    return conf;
  }
}
