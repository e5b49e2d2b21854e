package org.apache.hadoop.mapreduce.v2.app.rm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.MRApp;
import org.apache.hadoop.mapreduce.v2.app.client.ClientService;
import org.apache.hadoop.mapreduce.v2.app.rm.preemption.NoopAMPreemptionPolicy;
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
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.ipc.YarnRPC;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The allocator in Hadoop's own AM, against a server that speaks as a ResourceManager does. */
final class PlacingAllocatorTest {
  /** Of a copy's request that this AM has given up, or never made. */
  private static final long FORGOTTEN_ID = 1_000_007;
  private static final Resource SIZE = Resource.newInstance(4096, 4);

  private final Manager manager = new Manager();
  private Server server;
  private MRApp app;

  /** Grants one container, at the first heartbeat, and keeps what it is given back. */
  private static final class Manager implements ApplicationMasterProtocol {
    final BlockingQueue<ContainerId> back = new LinkedBlockingQueue<>();
    volatile ContainerId granted;

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
      back.addAll(request.getReleaseList());
      List<Container> grants = granted == null ? List.of(grant()) : List.of();
      return AllocateResponse.newInstance(request.getResponseId() + 1, List.of(), grants,
          List.of(), SIZE, null, 1, null, List.of());
    }

    private Container grant() {
      granted = MRApp.newContainerId(1, 1, 1, 77);
      Container container = Container.newInstance(granted, NodeId.newInstance("n1", 1), "n1:2",
          SIZE, Priority.newInstance(20), null);
      container.setAllocationRequestId(FORGOTTEN_ID);
      return container;
    }
  }

  private static final class PlacingApp extends MRApp {
    PlacingApp() {
      super(1, 0, false, "broomwagon", true);
    }

    @Override
    protected ContainerAllocator createContainerAllocator(ClientService client,
        AppContext context) {
      return new PlacingAllocator(client, context, new NoopAMPreemptionPolicy());
    }
  }

  @AfterEach
  void stop() {
    if (app != null) app.stop();
    if (server != null) server.stop();
  }

  @Test
  void aContainerThatComesTooLateGoesBackToTheResourceManager() throws Exception {
    Configuration conf = new Configuration();
    server = YarnRPC.create(conf).getServer(ApplicationMasterProtocol.class, manager,
        new InetSocketAddress("127.0.0.1", 0), conf, null, 1);
    server.start();
    conf.set(YarnConfiguration.RM_SCHEDULER_ADDRESS,
        "127.0.0.1:" + server.getListenerAddress().getPort());
    conf.setInt(MRJobConfig.MR_AM_TO_RM_HEARTBEAT_INTERVAL_MS, 50);
    app = new PlacingApp();
    app.submit(conf);
    ContainerId back = manager.back.poll(30, TimeUnit.SECONDS);
    assertEquals(manager.granted, back);
  }
}
