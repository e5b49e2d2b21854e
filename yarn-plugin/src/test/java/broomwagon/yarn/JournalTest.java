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

  private org.apache.hadoop.fs.Path copy(File from, Path to, int attempt, long maxMs)
      throws IOException, InterruptedException {
    return Journal.copy(from, new Journal.Target(to.toUri().toString(), "job_1_0001", attempt),
        new Configuration(), UserGroupInformation.getCurrentUser(), maxMs);
  }

  private void copy(String text, Path to, int attempt) throws Exception {
    Path from = directory.resolve("from");
    Files.writeString(from, text);
    copy(from.toFile(), to, attempt, Journal.COPY_MAX_MS);
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
    copy("of an earlier job", to, 1);
    copy("the first's", to, 1);
    copy("the second's", to, 2);
    assertEquals("the first's", Files.readString(to));
    assertEquals("the second's", Files.readString(place.resolve("journal.2")));
    assertEquals(List.of("journal", "journal.2"), namesIn(place));
  }

  @Test
  void inADirectoryItHasTheNameOfTheJob() throws Exception {
    Path place = Files.createDirectory(directory.resolve("to"));
    copy("the first's", place, 1);
    copy("the second's", place, 2);
    assertEquals(List.of("job_1_0001.ndjson", "job_1_0001.ndjson.2"), namesIn(place));
  }

  /** A pipe without a writer: who opens it to read waits, as with a NameNode that hangs. */
  @Test
  @Timeout(120)
  void aCopyThatHangsIsGivenUp() throws Exception {
    File pipe = directory.resolve("pipe").toFile();
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.getPath()).start().waitFor());
    Path to = directory.resolve("to");
    IOException given = assertThrows(IOException.class, () -> copy(pipe, to, 1, 500));
    assertEquals("it took longer than 500 ms", given.getMessage());
    new FileOutputStream(pipe).close();
    Await.until("the copy goes on", () -> Files.exists(to));
  }
}
