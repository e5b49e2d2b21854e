package broomwagon.yarn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class NamesTest {
  private static final JobId JOB =
      MRBuilderUtils.newJobId(ApplicationId.newInstance(1, 1), 1);

  @Test
  void namesOfTasksAndAttemptsComeBack() {
    for (int number : new int[] {0, 3, 999_999, 1_000_000}) {
      for (TaskType type : TaskType.values()) {
        var task = MRBuilderUtils.newTaskId(JOB, number, type);
        var attempt = MRBuilderUtils.newTaskAttemptId(task, 1003);
        assertEquals(task, Names.task(JOB, Names.of(task)));
        assertEquals(attempt, Names.attempt(JOB, Names.of(attempt)));
      }
    }
    var task = MRBuilderUtils.newTaskId(JOB, 3, TaskType.REDUCE);
    assertEquals("r_000003", Names.of(task));
    assertEquals("r_000003_1", Names.of(MRBuilderUtils.newTaskAttemptId(task, 1)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "m", "m_3", "x_000003", "m_000003_", "m_-00003", "M_000003",
      "m_0000000003", "m_000003_0000000001", "task_1_0001_m_000003"})
  void otherTextNamesNothing(String name) {
    assertNull(Names.task(JOB, name));
    assertNull(Names.attempt(JOB, name));
  }

  @Test
  void anAttemptIsNoTask() {
    assertNull(Names.task(JOB, "m_000003_0"));
    assertNull(Names.attempt(JOB, "m_000003"));
  }
}
