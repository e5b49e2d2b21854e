package org.apache.hadoop.mapreduce.v2.app.rm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import broomwagon.yarn.Await;
import broomwagon.yarn.Placement;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.MRApp;
import org.apache.hadoop.mapreduce.v2.app.client.ClientService;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEventType;
import org.apache.hadoop.mapreduce.v2.app.rm.preemption.NoopAMPreemptionPolicy;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.yarn.api.ApplicationMasterProtocol;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.protocolrecords.FinishApplicationMasterRequest;
import org.apache.hadoop.yarn.api.protocolrecords.FinishApplicationMasterResponse;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterRequest;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterResponse;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.event.AbstractEvent;
import org.apache.hadoop.yarn.ipc.YarnRPC;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The allocator in Hadoop's own AM, against a server that speaks as a ResourceManager does. */
final class PlacingAllocatorTest {
  private static final long FIRST_ID = 1_000_000;
  private static final Resource SIZE = Resource.newInstance(4096, 4);
  private static final String OF_MAPS = "priority 20, 1024 MB, 1 core, label maps";
  private static final String OF_REDUCES = "priority 10, 2048 MB, 2 core, label reduces";

  private final Manager manager = new Manager();
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
  private Server server;
  private PlacingApp app;
  private Job job;

  /**
   * Grants at the next heartbeat what the test wants; records what it is asked for and given back.
   */
  private static final class Manager implements ApplicationMasterProtocol {
    /** {@code ID HOSTS CONTAINERS strict|loose}, of what is asked for copies. */
    final BlockingQueue<String> asked = new LinkedBlockingQueue<>();
    /** The kinds of container requested: by Hadoop itself, and for copies. */
    final BlockingQueue<String> hadoops = new LinkedBlockingQueue<>();
    final BlockingQueue<String> copies = new LinkedBlockingQueue<>();
    final BlockingQueue<ContainerId> back = new LinkedBlockingQueue<>();
    final BlockingQueue<Container> grants = new LinkedBlockingQueue<>();
    private final AtomicInteger beats = new AtomicInteger();

    @Override
    public RegisterApplicationMasterResponse registerApplicationMaster(
        RegisterApplicationMasterRequest request) {
      return RegisterApplicationMasterResponse.newInstance(SIZE, SIZE, Map.of(),
          ByteBuffer.allocate(0), List.of(), "default", List.of());
    }

    @Override
    public FinishApplicationMasterResponse finishApplicationMaster(
        FinishApplicationMasterRequest request) {
      return FinishApplicationMasterResponse.newInstance(true);
    }

    @Override
    public synchronized AllocateResponse allocate(AllocateRequest request) {
      beats.incrementAndGet();
      back.addAll(request.getReleaseList());
      for (ResourceRequest ask : request.getAskList()) {
        boolean isHadoops = ask.getAllocationRequestId() < FIRST_ID;
        if (!isHadoops) asked.add(text(ask));
        if (ask.getResourceName().equals(ResourceRequest.ANY) && ask.getNumContainers() > 0) {
          (isHadoops ? hadoops : copies).add(kind(ask));
        }
      }
      List<Container> now = new ArrayList<>();
      grants.drainTo(now);
      return AllocateResponse.newInstance(request.getResponseId() + 1, List.of(), now,
          List.of(), SIZE, null, 1, null, List.of());
    }

    private static String text(ResourceRequest ask) {
      return ask.getAllocationRequestId() - FIRST_ID + " " + ask.getResourceName() + " "
          + ask.getNumContainers() + " " + (ask.getRelaxLocality() ? "loose" : "strict");
    }

    private static String kind(ResourceRequest ask) {
      Resource size = ask.getCapability();
      return "priority " + ask.getPriority().getPriority() + ", " + size.getMemorySize() + " MB, "
          + size.getVirtualCores() + " core, label " + ask.getNodeLabelExpression();
    }

    /** Waits for the given number of heartbeats. */
    void beat(int more) throws Exception {
      int until = beats.get() + more;
      Await.until("beat " + until, () -> beats.get() >= until);
    }

    ContainerId grant(int command, int number, String host) {
      return grant(FIRST_ID + command, Priority.newInstance(20), number, host);
    }

    ContainerId grant(long request, Priority priority, int number, String host) {
      ContainerId id = MRApp.newContainerId(1, 1, 1, number);
      Container container = Container.newInstance(id, NodeId.newInstance(host, 1), host + ":2",
          SIZE, priority, null);
      container.setAllocationRequestId(request);
      grants.add(container);
      return id;
    }
  }

  private static final class PlacingApp extends MRApp {
    private PlacingAllocator allocator;

    PlacingApp() {
      super(1, 1, false, "broomwagon", true);
    }

    @Override
    protected ContainerAllocator createContainerAllocator(ClientService client,
        AppContext context) {
      allocator = new PlacingAllocator(client, context, new NoopAMPreemptionPolicy());
      return allocator;
    }
  }

  @BeforeEach
  void start() throws Exception {
    Configuration conf = new Configuration();
    server = YarnRPC.create(conf).getServer(ApplicationMasterProtocol.class, manager,
        new InetSocketAddress("127.0.0.1", 0), conf, null, 1);
    server.start();
    conf.set(YarnConfiguration.RM_SCHEDULER_ADDRESS,
        "127.0.0.1:" + server.getListenerAddress().getPort());
    conf.setInt(MRJobConfig.MR_AM_TO_RM_HEARTBEAT_INTERVAL_MS, 50);
    conf.setInt(MRJobConfig.REDUCE_MEMORY_MB, 2048);
    conf.setInt(MRJobConfig.REDUCE_CPU_VCORES, 2);
    conf.set(MRJobConfig.MAP_NODE_LABEL_EXP, "maps");
    conf.set(MRJobConfig.REDUCE_NODE_LABEL_EXP, "reduces");
    app = new PlacingApp();
    job = app.submit(conf);
    expect(manager.hadoops, List.of(OF_MAPS));
  }

  @AfterEach
  void stop() {
    app.stop();
    server.stop();
  }

  private void ask(int command, List<String> hosts, List<String> near, long timeoutMs) {
    app.allocator.ask(
        new Placement.Ask(command, TaskType.MAP, hosts, near, timeoutMs, answersTo(null)));
  }

  /** @param attempt that gets the granted container, or null */
  private Placement.Answers answersTo(TaskAttemptId attempt) {
    return new Placement.Answers() {
      @Override
      public void granted(int granted, Container container) {
        if (attempt != null) app.allocator.give(attempt, container);
        answers.add("granted " + granted + " on " + container.getNodeId().getHost());
      }

      @Override
      public void timedOut(int late) {
        answers.add("timed out " + late);
      }
    };
  }

  private void tell(AbstractEvent<?> event) {
    app.getContext().getEventHandler().handle(event);
  }

  private static <T> void expect(BlockingQueue<T> of, List<T> wanted) throws InterruptedException {
    for (T one : wanted) assertEquals(one, of.poll(30, TimeUnit.SECONDS));
  }

  /** On n9, and elsewhere if {@code how} is loose. */
  private static List<String> asks(int command, int containers, String how) {
    return Stream.of("n9 %d loose", "/default-rack %d " + how, "* %d " + how)
        .map(ask -> command + " " + ask.formatted(containers)).toList();
  }

  @Test
  void aContainerThatNobodyAskedForGoesBack() throws Exception {
    ContainerId granted = manager.grant(7, 77, "n1");
    expect(manager.back, List.of(granted));
  }

  @Test
  void whatTimesOutIsWithdrawnAndNotAskedForAgain() throws Exception {
    ask(1, List.of("n9"), List.of(), 300);
    expect(manager.asked, asks(1, 1, "strict"));
    expect(answers, List.of("timed out 1"));
    expect(manager.asked, asks(1, 0, "strict"));
    ContainerId granted = manager.grant(1, 77, "n9");
    expect(manager.back, List.of(granted));
    manager.beat(5);
    assertTrue(manager.asked.isEmpty());
    assertTrue(answers.isEmpty());
  }

  @Test
  void whatIsWithdrawnIsAskedForNoMore() throws Exception {
    ask(1, null, List.of("n9"), 0);
    expect(manager.asked, asks(1, 1, "loose"));
    manager.beat(5);
    assertTrue(manager.asked.isEmpty());
    app.allocator.withdraw(1);
    expect(manager.asked, asks(1, 0, "loose"));
    manager.beat(5);
    assertTrue(manager.asked.isEmpty());
    assertTrue(answers.isEmpty());
  }

  @Test
  void aContainerOnAnotherHostGoesBackAndIsAskedForAgain() throws Exception {
    ask(1, List.of("n9"), List.of(), 0);
    expect(manager.asked, asks(1, 1, "strict"));
    ContainerId elsewhere = manager.grant(1, 77, "n1");
    expect(manager.back, List.of(elsewhere));
    expect(manager.asked, asks(1, 1, "strict"));
    manager.grant(1, 78, "n9");
    expect(answers, List.of("granted 1 on n9"));
    expect(manager.asked, asks(1, 0, "strict"));
    manager.beat(5);
    assertTrue(manager.back.isEmpty());
    expect(manager.copies, List.of(OF_MAPS, OF_MAPS));
  }

  @Test
  void aCopyOfAReduceAsksAsItsOriginalDidAndRunsInItsOwnContainer() throws Exception {
    manager.grant(0, RMContainerAllocator.PRIORITY_MAP, 76, "n1");
    TaskAttempt map = Await.running(job, TaskType.MAP, 0);
    tell(new TaskAttemptEvent(map.getID(), TaskAttemptEventType.TA_DONE));
    expect(manager.hadoops, List.of(OF_REDUCES));
    ContainerId first = manager.grant(0, RMContainerAllocator.PRIORITY_REDUCE, 77, "n1");
    TaskAttempt original = Await.running(job, TaskType.REDUCE, 0);

    TaskAttemptId copy = MRBuilderUtils.newTaskAttemptId(original.getID().getTaskId(), 1);
    app.allocator.ask(new Placement.Ask(1, TaskType.REDUCE, List.of("n9"), List.of(), 0,
        answersTo(copy)));
    expect(manager.asked, asks(1, 1, "strict"));
    expect(manager.copies, List.of(OF_REDUCES));
    ContainerId second = manager.grant(1, 78, "n9");
    expect(answers, List.of("granted 1 on n9"));
    tell(new TaskEvent(copy.getTaskId(), TaskEventType.T_ADD_SPEC_ATTEMPT));

    assertEquals(second, Await.running(job, TaskType.REDUCE, 1).getAssignedContainerID());
    assertEquals(first, original.getAssignedContainerID());
    assertEquals(TaskAttemptState.RUNNING, original.getState());
    // Hadoop itself has asked for no container for it.
    manager.beat(5);
    assertTrue(manager.hadoops.isEmpty());
    assertTrue(manager.back.isEmpty());
  }

  @Test
  void eachCopyHasItsOwnContainer() throws Exception {
    ask(1, List.of("n9"), List.of(), 0);
    ask(2, null, List.of(), 0);
    expect(manager.asked, asks(1, 1, "strict"));
    expect(manager.asked, List.of("2 * 1 loose"));
    manager.grant(2, 77, "n9");
    expect(answers, List.of("granted 2 on n9"));
    expect(manager.asked, List.of("2 * 0 loose"));
    manager.grant(1, 78, "n9");
    expect(answers, List.of("granted 1 on n9"));
  }
}
