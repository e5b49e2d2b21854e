package broomwagon.yarn;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** The policies: one file for Node, carried in our jar. */
final class Bundle {
  private static final String RESOURCE = "/broomwagon/yarn-policy.mjs";

  private Bundle() { }

  /** Writes the file into the directory, in which the AM runs, and returns its path. */
  static Path unpack(Path directory) throws IOException {
    Path file = directory.resolve("broomwagon-yarn-policy.mjs").toAbsolutePath().normalize();
    try (InputStream in = Bundle.class.getResourceAsStream(RESOURCE)) {
      if (in == null) throw new FileNotFoundException("the jar was built without " + RESOURCE);
      Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
    }
    return file;
  }
}
