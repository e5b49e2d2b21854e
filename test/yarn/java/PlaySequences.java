import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Reads sequences of events from standard input and writes what Hadoop's speculator decides:
 * {@code sequence SEED}, then a line {@code AT NEXT [TASK, ...]} for each look.
 */
final class PlaySequences {
  private PlayedJob job;
  private HadoopSpeculator speculator;

  public static void main(String[] arguments) throws Exception {
    PlaySequences player = new PlaySequences();
    try (BufferedReader in = new BufferedReader(
            new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Writer out = new BufferedWriter(
            new OutputStreamWriter(System.out, StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        try {
          player.play(line.split(" "), out);
        } catch (Exception e) {
          throw new IllegalStateException("at the event: " + line, e);
        }
      }
    }
  }

  private void play(String[] words, Writer out) throws IOException, ReflectiveOperationException {
    if (words[0].equals("sequence")) {
      begin(words);
      out.write("sequence " + words[1] + "\n");
      return;
    }
    job.setNow(Long.parseLong(words[1]));
    if (words[0].equals("look")) {
      out.write(speculator.look() + "\n");
      return;
    }
    PlayedJob.PlayedTask task = job.task(Integer.parseInt(words[2]));
    String[] rest = Arrays.copyOfRange(words, 4, words.length);
    speculator.play(words[0], task, Integer.parseInt(words[3]), rest);
  }

  private void begin(String[] words) throws ReflectiveOperationException {
    Map<String, String> settings = new HashMap<>();
    for (int i = 5; i < words.length; i++) {
      String[] setting = words[i].split("=", 2);
      settings.put(setting[0], setting[1]);
    }
    job = new PlayedJob(Integer.parseInt(words[3]), Integer.parseInt(words[4]));
    speculator = new HadoopSpeculator(job, words[2], settings);
  }
}
