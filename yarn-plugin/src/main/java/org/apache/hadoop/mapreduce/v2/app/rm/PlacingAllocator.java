package org.apache.hadoop.mapreduce.v2.app.rm;

import broomwagon.yarn.Placement;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.client.ClientService;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptContainerAssignedEvent;
import org.apache.hadoop.mapreduce.v2.app.rm.preemption.AMPreemptionPolicy;
import org.apache.hadoop.yarn.api.ApplicationMasterProtocol;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.protocolrecords.FinishApplicationMasterRequest;
import org.apache.hadoop.yarn.api.protocolrecords.FinishApplicationMasterResponse;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterRequest;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterResponse;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hadoop's allocator, which also gets containers for copies: each by a request with an
 * allocationRequestId of its own, so that neither its containers nor its hosts mix with those of
 * other attempts. In Hadoop's package, to call what only that package may call.
 */
public final class PlacingAllocator extends RMContainerAllocator implements Placement {
  private static final Logger LOG = LoggerFactory.getLogger(PlacingAllocator.class);
  /** Above all ids that Hadoop's own requests have. */
  private static final long FIRST_ID = 1_000_000;

  /** Work of other threads for the next heartbeat. */
  private final Queue<Runnable> errands = new ConcurrentLinkedQueue<>();
  private final Map<TaskAttemptId, Container> given = new ConcurrentHashMap<>();
  /** The container size of each type of attempt, as Hadoop has requested it before. */
  private final Map<TaskType, Resource> sizes = new ConcurrentHashMap<>();
  // All of the following is touched by the heartbeat's thread alone, under this object's lock.
  private final Map<Long, PlacedRequest> requests = new LinkedHashMap<>();
  private final List<ResourceRequest> withdrawals = new ArrayList<>();
  /** Work that follows from an answer, done once Hadoop has processed that answer. */
  private final List<Runnable> afterwards = new ArrayList<>();

  /** As Hadoop's own. */
  public PlacingAllocator(ClientService client, AppContext context,
      AMPreemptionPolicy preemption) {
    super(client, context, preemption);
  }

  @Override
  public void ask(Ask ask) {
    errands.add(() -> {
      boolean map = ask.type() == TaskType.MAP;
      requests.put(FIRST_ID + ask.command(), new PlacedRequest(FIRST_ID + ask.command(), ask,
          map ? PRIORITY_MAP : PRIORITY_REDUCE, sizes.get(ask.type()), labelOf(map), now()));
    });
  }

  private String labelOf(boolean map) {
    String ofAll = getConfig().get("mapreduce.job.node-label-expression");
    return getConfig().get(map ? "mapreduce.map.node-label-expression"
        : "mapreduce.reduce.node-label-expression", ofAll);
  }

  @Override
  public void withdraw(int command) {
    errands.add(() -> drop(FIRST_ID + command));
  }

  @Override
  public void give(TaskAttemptId attempt, Container container) {
    given.put(attempt, container);
  }

  @Override
  public void release(Container container) {
    errands.add(() -> release(container.getId()));
  }

  @Override
  public void forget(TaskAttemptId attempt) {
    Container container = given.remove(attempt);
    if (container != null) release(container);
  }

  @Override
  protected synchronized void handleEvent(ContainerAllocatorEvent event) {
    if (event instanceof ContainerRequestEvent request) {
      TaskAttemptId attempt = event.getAttemptID();
      sizes.put(attempt.getTaskId().getTaskType(), request.getCapability());
      Container container = given.remove(attempt);
      if (container != null) {
        getAssignedRequests().add(container, attempt);
        assign(attempt, container);
        return;
      }
    }
    super.handleEvent(event);
  }

  @SuppressWarnings("unchecked") // Hadoop's field has the raw type.
  private void assign(TaskAttemptId attempt, Container container) {
    eventHandler.handle(
        new TaskAttemptContainerAssignedEvent(attempt, container, applicationACLs));
  }

  @Override
  protected synchronized void heartbeat() throws Exception {
    for (Runnable errand; (errand = errands.poll()) != null; ) errand.run();
    expire();
    super.heartbeat();
    // Only now can a container be used, since Hadoop has stored the tokens of this answer. Only now
    // can it be given back, since with each answer Hadoop forgets the containers to give back.
    afterwards.forEach(Runnable::run);
    afterwards.clear();
  }

  private void expire() {
    for (PlacedRequest request : List.copyOf(requests.values())) {
      if (!request.isLate(now())) continue;
      drop(request.id());
      request.ask().answers().timedOut(request.ask().command());
    }
  }

  private void drop(long id) {
    PlacedRequest request = requests.remove(id);
    if (request != null && request.isSent()) withdrawals.addAll(request.requests(getConfig(), 0));
  }

  @Override
  protected synchronized void addOutstandingRequestOnResync() {
    super.addOutstandingRequestOnResync();
    withdrawals.clear();
    requests.values().forEach(PlacedRequest::unsent);
  }

  /** The request with our own requests added. */
  private AllocateRequest withOurs(AllocateRequest request) {
    List<ResourceRequest> all = new ArrayList<>(request.getAskList());
    all.addAll(withdrawals);
    for (PlacedRequest ours : requests.values()) {
      if (!ours.isSent()) all.addAll(ours.requests(getConfig(), 1));
    }
    request.setAskList(all);
    return request;
  }

  /** The answer without our containers. */
  private AllocateResponse withoutOurs(AllocateResponse answer) {
    withdrawals.clear();
    requests.values().forEach(PlacedRequest::sent);
    List<Container> theirs = new ArrayList<>();
    for (Container container : answer.getAllocatedContainers()) {
      if (container.getAllocationRequestId() < FIRST_ID) theirs.add(container);
      else take(container);
    }
    answer.setAllocatedContainers(theirs);
    return answer;
  }

  private void take(Container container) {
    PlacedRequest request = requests.get(container.getAllocationRequestId());
    String host = container.getNodeId().getHost();
    if (request == null) {
      afterwards.add(() -> release(container.getId()));
    } else if (!request.admits(host) || isNodeBlacklisted(host)) {
      afterwards.add(() -> release(container.getId()));
      request.unsent();
    } else {
      LOG.info("Broomwagon: command {} got {} on {}", request.ask().command(), container.getId(),
          container.getNodeId());
      drop(request.id());
      afterwards.add(() -> request.ask().answers().granted(request.ask().command(), container));
    }
  }

  private static long now() {
    return System.nanoTime() / 1_000_000;
  }

  @Override
  protected ApplicationMasterProtocol createSchedulerProxy() {
    ApplicationMasterProtocol scheduler = super.createSchedulerProxy();
    return new ApplicationMasterProtocol() {
      @Override
      public RegisterApplicationMasterResponse registerApplicationMaster(
          RegisterApplicationMasterRequest request) throws YarnException, IOException {
        return scheduler.registerApplicationMaster(request);
      }

      @Override
      public FinishApplicationMasterResponse finishApplicationMaster(
          FinishApplicationMasterRequest request) throws YarnException, IOException {
        return scheduler.finishApplicationMaster(request);
      }

      @Override
      public AllocateResponse allocate(AllocateRequest request)
          throws YarnException, IOException {
        return withoutOurs(scheduler.allocate(withOurs(request)));
      }
    };
  }
}
