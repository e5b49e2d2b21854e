package broomwagon.yarn;

import org.apache.hadoop.mapreduce.v2.app.MRAppMaster;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ApplicationMaster that can choose where a copy runs: the last word of a job's {@code
 * yarn.app.mapreduce.am.command-opts}. On an unexpected Hadoop it starts Hadoop's own instead.
 */
public final class BroomwagonAppMaster {
  private static final Logger LOG = LoggerFactory.getLogger(BroomwagonAppMaster.class);

  private BroomwagonAppMaster() { }

  public static void main(String[] args) {
    String missing = Signatures.missing(Signatures.APP_MASTER);
    if (missing == null) {
      PlacingAppMaster.run();
    } else {
      LOG.error("Broomwagon: no placement of copies: this Hadoop has no {}; its own "
          + "ApplicationMaster runs", missing);
      MRAppMaster.main(args);
    }
  }
}
