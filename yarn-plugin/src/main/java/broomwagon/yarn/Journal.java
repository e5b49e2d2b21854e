package broomwagon.yarn;

import java.io.File;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.UserGroupInformation;

/** The child's journal: where it is written, and how it reaches the place that the job names. */
final class Journal {
  static final String NAME = "broomwagon-journal.ndjson";
  static final long COPY_MAX_MS = 30_000;

  private Journal() { }

  /**
   * The place that the job names.
   *
   * @param to a directory, in which the journal is named after the job, or a file, whose name gets
   *     the job's before its extension, so that a program's next job keeps the previous journal
   * @param attempt the number of the AM's attempt, from 1; a later attempt appends its number to
   *     the name, and so keeps the earlier journal
   */
  record Target(String to, String job, int attempt) {
    private Path in(FileSystem files) throws IOException {
      Path path = new Path(to);
      boolean below = files.exists(path) && files.getFileStatus(path).isDirectory();
      Path named = below ? new Path(path, job + ".ndjson")
          : new Path(path.getParent(), withJob(path.getName()));
      return attempt == 1 ? named : named.suffix("." + attempt);
    }

    /** {@code journal.ndjson}: {@code journal-job_1_0001.ndjson}. */
    private String withJob(String name) {
      int dot = name.lastIndexOf('.');
      int end = dot > 0 ? dot : name.length();
      return name.substring(0, end) + "-" + job + name.substring(end);
    }
  }

  /** In the container's log directory, or where the AM runs if it has none. */
  static File file() {
    String directory = System.getProperty("yarn.app.container.log.dir");
    return new File(directory == null ? "." : directory, NAME).getAbsoluteFile();
  }

  /**
   * Copies the journal, over an earlier one of that name: the whole journal or nothing.
   *
   * @return the path of the copy
   * @throws IOException also if that takes longer than {@code maxMs}: a file system that does not
   *     answer must not keep the AM
   */
  static Path copy(File from, Target target, Configuration conf, UserGroupInformation user,
      long maxMs) throws IOException, InterruptedException {
    FutureTask<Path> copied = new FutureTask<>(() -> user.doAs(
        (PrivilegedExceptionAction<Path>) () -> copy(from, target, conf)));
    Thread thread = new Thread(copied, "broomwagon-journal");
    thread.setDaemon(true);
    thread.start();
    try {
      return copied.get(maxMs, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new IOException("it took longer than " + maxMs + " ms");
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
    }
  }

  private static Path copy(File from, Target target, Configuration conf) throws IOException {
    FileSystem files = new Path(target.to()).getFileSystem(conf);
    if (files instanceof LocalFileSystem local) local.setWriteChecksum(false);
    Path to = target.in(files);
    Path part = new Path(to.getParent(), "." + to.getName() + ".part");
    files.copyFromLocalFile(false, true, new Path(from.toURI()), part);
    files.delete(to, false);
    if (!files.rename(part, to)) throw new IOException("it could not be renamed from " + part);
    return to;
  }
}
