package broomwagon.yarn;

import java.util.function.Supplier;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.client.ClientService;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.local.LocalContainerAllocator;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerAllocator;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerAllocatorEvent;
import org.apache.hadoop.mapreduce.v2.app.rm.PlacingAllocator;
import org.apache.hadoop.mapreduce.v2.app.rm.RMCommunicator;
import org.apache.hadoop.mapreduce.v2.app.rm.RMHeartbeatHandler;
import org.apache.hadoop.mapreduce.v2.app.rm.preemption.AMPreemptionPolicy;
import org.apache.hadoop.service.AbstractService;
import org.apache.hadoop.yarn.api.ApplicationConstants.Environment;
import org.apache.hadoop.yarn.api.records.ContainerId;

/**
 * Routes to the allocator that the job needs. The AM asks for an allocator at its initialisation,
 * but the choice is known only at its start, when the job exists. Like Hadoop's own router.
 */
final class AllocatorRouter extends AbstractService
    implements ContainerAllocator, RMHeartbeatHandler {
  private final ClientService client;
  private final AppContext context;
  private final Supplier<AMPreemptionPolicy> preemption;
  private volatile RMCommunicator communicator;

  AllocatorRouter(ClientService client, AppContext context,
      Supplier<AMPreemptionPolicy> preemption) {
    super(AllocatorRouter.class.getName());
    this.client = client;
    this.context = context;
    this.preemption = preemption;
  }

  /** Null before the start, and for a job that runs within the AM. */
  Placement placement() {
    return communicator instanceof Placement placement ? placement : null;
  }

  @Override
  protected void serviceStart() throws Exception {
    boolean uber = context.getAllJobs().values().stream().anyMatch(Job::isUber);
    communicator = uber ? local() : new PlacingAllocator(client, context, preemption.get());
    communicator.init(getConfig());
    communicator.start();
    super.serviceStart();
  }

  private RMCommunicator local() {
    return new LocalContainerAllocator(client, context, PlacingAppMaster.env(Environment.NM_HOST),
        PlacingAppMaster.envNumber(Environment.NM_PORT),
        PlacingAppMaster.envNumber(Environment.NM_HTTP_PORT),
        ContainerId.fromString(PlacingAppMaster.env(Environment.CONTAINER_ID)));
  }

  @Override
  protected void serviceStop() throws Exception {
    if (communicator != null) communicator.stop();
    super.serviceStop();
  }

  @Override
  public void handle(ContainerAllocatorEvent event) {
    ((ContainerAllocator) communicator).handle(event);
  }

  @Override
  public long getLastHeartbeatTime() {
    return communicator.getLastHeartbeatTime();
  }

  @Override
  public void runOnNextHeartbeat(Runnable callback) {
    communicator.runOnNextHeartbeat(callback);
  }

  void setSignalled(boolean signalled) {
    if (communicator != null) communicator.setSignalled(signalled);
  }

  void setShouldUnregister(boolean should) {
    if (communicator != null) communicator.setShouldUnregister(should);
  }
}
