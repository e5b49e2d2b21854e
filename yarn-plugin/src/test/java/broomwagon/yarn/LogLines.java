package broomwagon.yarn;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;

/** What the Speculator and its child write into the ApplicationMaster's log. */
final class LogLines extends AppenderSkeleton implements AutoCloseable {
  private static final Logger LOGGER = Logger.getLogger(BroomwagonSpeculator.class);

  final List<String> lines = new CopyOnWriteArrayList<>();

  LogLines() {
    LOGGER.addAppender(this);
  }

  boolean holds(String text) {
    return lines.stream().anyMatch(line -> line.contains(text));
  }

  @Override
  protected void append(LoggingEvent event) {
    lines.add(event.getRenderedMessage());
  }

  @Override
  public boolean requiresLayout() {
    return false;
  }

  @Override
  public void close() {
    LOGGER.removeAppender(this);
  }
}
