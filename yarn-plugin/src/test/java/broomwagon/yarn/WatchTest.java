package broomwagon.yarn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class WatchTest {
  private final Watch watch = new Watch(1000);

  @Test
  void waitsForReadyForSoLong() {
    assertNull(watch.complaint(1000 + Watch.READY_MAX_MS - 1));
    assertNotNull(watch.complaint(1000 + Watch.READY_MAX_MS));
    watch.ready();
    assertNull(watch.complaint(1000 + Watch.READY_MAX_MS));
  }

  @Test
  void waitsForTheFirstTockThatIsMissing() {
    watch.ready();
    for (int i = 1; i <= 20; i++) assertEquals(i, watch.tick(2000 + i * 1000));
    assertNull(watch.complaint(3000 + Watch.TOCK_MAX_MS - 1));
    assertNotNull(watch.complaint(3000 + Watch.TOCK_MAX_MS));
  }

  @Test
  void aSlowChildThatAnswersIsAlive() {
    watch.ready();
    watch.tick(2000);
    watch.tick(3000);
    assertTrue(watch.tock(1, 11_000));
    assertNull(watch.complaint(20_999));
    assertNotNull(watch.complaint(21_000));
  }

  @Test
  void tocksOutOfTurnAreNone() {
    watch.ready();
    assertFalse(watch.tock(1, 1000));
    watch.tick(2000);
    watch.tick(3000);
    assertFalse(watch.tock(2, 3000));
    assertTrue(watch.tock(1, 3000));
    assertFalse(watch.tock(1, 3000));
    assertTrue(watch.tock(2, 3000));
  }
}
