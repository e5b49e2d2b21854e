package broomwagon.yarn;

import java.lang.reflect.Field;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.MRAppMaster;
import org.apache.hadoop.mapreduce.v2.app.client.ClientService;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerAllocator;
import org.apache.hadoop.mapreduce.v2.app.rm.preemption.AMPreemptionPolicy;
import org.apache.hadoop.mapreduce.v2.util.MRWebAppUtil;
import org.apache.hadoop.util.ExitUtil;
import org.apache.hadoop.util.ShutdownHookManager;
import org.apache.hadoop.yarn.YarnUncaughtExceptionHandler;
import org.apache.hadoop.yarn.api.ApplicationConstants;
import org.apache.hadoop.yarn.api.ApplicationConstants.Environment;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hadoop's ApplicationMaster in all but one part: the allocator of containers is ours. */
final class PlacingAppMaster extends MRAppMaster {
  private static final Logger LOG = LoggerFactory.getLogger(PlacingAppMaster.class);

  private AllocatorRouter router;
  private AMPreemptionPolicy preemption;

  private PlacingAppMaster(ApplicationAttemptId attempt, ContainerId container) {
    super(attempt, container, env(Environment.NM_HOST), envNumber(Environment.NM_PORT),
        envNumber(Environment.NM_HTTP_PORT),
        Long.parseLong(env(ApplicationConstants.APP_SUBMIT_TIME_ENV)));
  }

  /** Where copies get their containers; null until the AM speaks with the ResourceManager. */
  Placement placement() {
    return router.placement();
  }

  @Override
  protected AMPreemptionPolicy createPreemptionPolicy(Configuration conf) {
    preemption = super.createPreemptionPolicy(conf);
    return preemption;
  }

  @Override
  protected ContainerAllocator createContainerAllocator(ClientService client, AppContext context) {
    router = new AllocatorRouter(client, context, () -> preemption);
    return router;
  }

  @Override
  public void notifyIsLastAMRetry(boolean last) {
    super.notifyIsLastAMRetry(last);
    if (router != null) router.setShouldUnregister(last);
  }

  /** As MRAppMaster.main, which can make only its own class. */
  static void run() {
    try {
      Field started = MRAppMaster.class.getDeclaredField("mainStarted");
      started.setAccessible(true);
      started.setBoolean(null, true);
      Thread.setDefaultUncaughtExceptionHandler(new YarnUncaughtExceptionHandler());
      ContainerId container = ContainerId.fromString(env(Environment.CONTAINER_ID));
      ApplicationAttemptId attempt = container.getApplicationAttemptId();
      CallerContext.setCurrent(new CallerContext.Builder("mr_appmaster_" + attempt).build());
      PlacingAppMaster master = new PlacingAppMaster(attempt, container);
      ShutdownHookManager.get().addShutdownHook(master::signalled, SHUTDOWN_HOOK_PRIORITY);
      JobConf conf = new JobConf(new YarnConfiguration());
      conf.addResource(new Path(MRJobConfig.JOB_CONF_FILE));
      MRWebAppUtil.initialize(conf);
      String user = env(Environment.USER);
      conf.set(MRJobConfig.USER_NAME, user);
      LOG.info("Broomwagon: its ApplicationMaster runs: copies can be placed");
      if (!new Settings(conf).speculates()) {
        LOG.info("Broomwagon: no policies and no journal in this job: {} and {} are false",
            MRJobConfig.MAP_SPECULATIVE, MRJobConfig.REDUCE_SPECULATIVE);
      }
      initAndStartAppMaster(master, conf, user);
    } catch (Throwable e) {
      LOG.error("Broomwagon: the ApplicationMaster cannot be started", e);
      ExitUtil.terminate(1, e);
    }
  }

  private void signalled() {
    LOG.info("Broomwagon: the ApplicationMaster was told to end");
    if (router != null) router.setSignalled(true);
    notifyIsLastAMRetry(isLastAMRetry);
    stop();
  }

  static String env(Environment name) {
    return env(name.name());
  }

  static int envNumber(Environment name) {
    return Integer.parseInt(env(name));
  }

  private static String env(String name) {
    String value = System.getenv(name);
    if (value == null) throw new IllegalStateException(name + " is not in the environment");
    return value;
  }
}
