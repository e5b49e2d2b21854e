package broomwagon.yarn;

/** Whether the child keeps up. Instants are milliseconds of a clock that never jumps. */
final class Watch {
  static final long READY_MAX_MS = 30_000;
  static final long TOCK_MAX_MS = 10_000;

  private final long startedAt;
  private boolean ready;
  private long ticks;
  private long tocks;
  /** Since when nothing was heard, if a tick waits for its tock. */
  private long unansweredSince;

  Watch(long now) {
    startedAt = now;
  }

  synchronized void ready() {
    ready = true;
  }

  synchronized boolean isReady() {
    return ready;
  }

  /** The number of the tick that is sent now. */
  synchronized long tick(long now) {
    if (ticks == tocks) unansweredSince = now;
    return ++ticks;
  }

  /** @return false if there is no such tick, or it was answered before */
  synchronized boolean tock(long tick, long now) {
    if (tick != tocks + 1 || tick > ticks) return false;
    tocks = tick;
    unansweredSince = now;
    return true;
  }

  /** The reason why the child does not keep up, or null. */
  synchronized String complaint(long now) {
    if (!ready) {
      return now - startedAt < READY_MAX_MS ? null
          : "the child was not ready within " + READY_MAX_MS + " ms";
    }
    if (ticks == tocks || now - unansweredSince < TOCK_MAX_MS) return null;
    return "the child has not answered for " + (now - unansweredSince) + " ms";
  }
}
