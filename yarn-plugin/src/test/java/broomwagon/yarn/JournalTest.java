package broomwagon.yarn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

final class JournalTest {
  @TempDir
  Path directory;

  private void copy(File from, Journal.Target target, long maxMs)
      throws IOException, InterruptedException {
    Journal.copy(from, target, new Configuration(), UserGroupInformation.getCurrentUser(), maxMs);
  }

  private void copy(String text, Path to, String job, int attempt) throws Exception {
    Path from = directory.resolve("from");
    Files.writeString(from, text);
    var target = new Journal.Target(to.toUri().toString(), job, attempt);
    copy(from.toFile(), target, Journal.COPY_MAX_MS);
  }

  private void copy(String text, Path to, int attempt) throws Exception {
    copy(text, to, "job_1_0001", attempt);
  }

  private static List<String> namesIn(Path place) throws IOException {
    try (Stream<Path> files = Files.list(place)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void aLaterAmLeavesTheJournalOfTheEarlierOne() throws Exception {
    Path place = Files.createDirectory(directory.resolve("to"));
    Path to = place.resolve("journal");
    copy("what was there", to, 1);
    copy("the first's", to, 1);
    copy("the second's", to, 2);
    assertEquals("the first's", Files.readString(place.resolve("journal-job_1_0001")));
    assertEquals("the second's", Files.readString(place.resolve("journal-job_1_0001.2")));
    assertEquals(List.of("journal-job_1_0001", "journal-job_1_0001.2"), namesIn(place));
  }

  @Test
  void aProgramsNextJobLeavesTheJournalOfTheOneBefore() throws Exception {
    Path place = Files.createDirectory(directory.resolve("to"));
    Path to = place.resolve("grep.ndjson");
    copy("of the search", to, "job_1_0001", 1);
    copy("of the sort", to, "job_1_0002", 1);
    assertEquals(List.of("grep-job_1_0001.ndjson", "grep-job_1_0002.ndjson"), namesIn(place));
    assertEquals("of the search", Files.readString(place.resolve("grep-job_1_0001.ndjson")));
  }

  @Test
  void inADirectoryItHasTheNameOfTheJob() throws Exception {
    Path place = Files.createDirectory(directory.resolve("to"));
    copy("the first's", place, 1);
    copy("the second's", place, 2);
    assertEquals(List.of("job_1_0001.ndjson", "job_1_0001.ndjson.2"), namesIn(place));
  }

  /** A pipe without a writer: opening it to read blocks, as with a NameNode that hangs. */
  @Test
  @Timeout(120)
  void aCopyThatHangsIsGivenUp() throws Exception {
    File pipe = directory.resolve("pipe").toFile();
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.getPath()).start().waitFor());
    Path to = directory.resolve("to");
    var target = new Journal.Target(to.toUri().toString(), "job_1_0001", 1);
    IOException given = assertThrows(IOException.class, () -> copy(pipe, target, 500));
    assertEquals("it took longer than 500 ms", given.getMessage());
    new FileOutputStream(pipe).close();
    Path copied = directory.resolve("to-job_1_0001");
    Await.until("the copy goes on", () -> Files.exists(copied));
  }
}
