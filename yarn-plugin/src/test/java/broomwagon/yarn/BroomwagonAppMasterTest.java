package broomwagon.yarn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Its main, in a process of its own. Neither master starts there: no container was made for it. */
final class BroomwagonAppMasterTest {
  private static final String CLASS = "org.apache.hadoop.mapreduce.v2.app.rm.RMContainerRequestor";
  private static final String MEMBER = "addOutstandingRequestOnResync()";
  @TempDir
  Path directory;

  /** A Hadoop in which the class has this member alone. */
  private void change(String member) throws Exception {
    int dot = CLASS.lastIndexOf('.');
    Path source = directory.resolve(CLASS.substring(dot + 1) + ".java");
    Files.writeString(source, "package " + CLASS.substring(0, dot) + "; public abstract class "
        + CLASS.substring(dot + 1) + " { " + member + " }");
    assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null,
        "-d", directory.toString(), source.toString()));
  }

  private String run() throws Exception {
    Path log = Files.writeString(directory.resolve("log.properties"), """
        log4j.rootLogger=INFO,out
        log4j.appender.out=org.apache.log4j.ConsoleAppender
        log4j.appender.out.layout=org.apache.log4j.PatternLayout
        log4j.appender.out.layout.ConversionPattern=%c %m%n
        """);
    Path output = directory.resolve("output");
    String path = directory + File.pathSeparator + System.getProperty("java.class.path");
    Process process = new ProcessBuilder(System.getProperty("java.home") + "/bin/java",
        "-Xmx128m", "-Dlog4j.configuration=" + log.toUri(), "-cp", path,
        BroomwagonAppMaster.class.getName())
        .redirectErrorStream(true).redirectOutput(output.toFile()).start();
    assertEquals(1, process.waitFor());
    return Files.readString(output);
  }

  @Test
  void onAHadoopThatIsAsExpectedOursStarts() throws Exception {
    String said = run();
    assertTrue(said.contains("Broomwagon: the ApplicationMaster cannot be started"), said);
    assertFalse(said.contains("no placement"), said);
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "",
      "protected final void " + MEMBER + " { }",
      "void " + MEMBER + " { }",
  })
  void onAnyOtherHadoopsOwnStartsAndTheLogSaysWhy(String member) throws Exception {
    change(member);
    String said = run();
    assertTrue(said.contains(BroomwagonAppMaster.class.getName()
        + " Broomwagon: no placement of copies: this Hadoop has no " + CLASS + " override "
        + MEMBER + ":void; its own ApplicationMaster runs"), said);
    assertTrue(said.contains("Error starting MRAppMaster"), said);
    assertFalse(said.contains("Broomwagon: the ApplicationMaster"), said);
  }
}
