package broomwagon.yarn;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.yarn.conf.HAUtil;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** Our settings in the job's configuration, and the part that the child gets. */
final class Settings {
  static final String PREFIX = "broomwagon.";
  private static final float SLOWSTART_DEFAULT = 0.05f;

  private final JobConf conf;

  Settings(Configuration conf) {
    this.conf = new JobConf(conf);
  }

  boolean enabled() {
    return conf.getBoolean(PREFIX + "enabled", true);
  }

  /** The program that runs the child; a path of the container, or a name to be looked up. */
  String node() {
    return conf.getTrimmed(PREFIX + "node", "node");
  }

  /** A file to be run instead of the policies in the jar, or null. */
  String policyFile() {
    return conf.getTrimmed(PREFIX + "policy");
  }

  /** Where the journal goes at the end, or null. */
  String journal() {
    String path = conf.getTrimmed(PREFIX + "journal");
    return path == null || path.isEmpty() ? null : path;
  }

  /** How long a copy may wait for a container on a host that was named. */
  long placementTimeoutMs() {
    return conf.getLong(PREFIX + "placement.timeout-ms", 10_000);
  }

  boolean speculates(TaskType type) {
    String kind = type == TaskType.MAP ? MRJobConfig.MAP_SPECULATIVE
        : MRJobConfig.REDUCE_SPECULATIVE;
    return conf.getBoolean(kind, true);
  }

  /** Whether Hadoop makes a Speculator for the job, and so our policies run. */
  boolean speculates() {
    return speculates(TaskType.MAP) || speculates(TaskType.REDUCE);
  }

  /** All our keys, without the prefix. */
  ObjectNode own() {
    Map<String, String> found = new TreeMap<>();
    for (String key : conf.getPropsWithPrefix(PREFIX).keySet()) {
      found.put(key, conf.get(PREFIX + key));
    }
    ObjectNode own = Json.object();
    found.forEach(own::put);
    return own;
  }

  /** The numbers of Hadoop's configuration that a policy may need. */
  ObjectNode numbers() {
    ObjectNode numbers = Json.object();
    numbers.put("slowstart",
        conf.getFloat(MRJobConfig.COMPLETED_MAPS_FOR_REDUCE_SLOWSTART, SLOWSTART_DEFAULT));
    numbers.set("map", kind(TaskType.MAP, MRJobConfig.MAP_CPU_VCORES));
    numbers.set("reduce", kind(TaskType.REDUCE, MRJobConfig.REDUCE_CPU_VCORES));
    numbers.set("resourceManagers", resourceManagers());
    return numbers;
  }

  private ObjectNode kind(TaskType type, String vcores) {
    return Json.object()
        .put("memoryMb", conf.getMemoryRequired(type))
        .put("vcores", conf.getInt(vcores, 1))
        .put("speculation", speculates(type));
  }

  private ArrayNode resourceManagers() {
    boolean https = YarnConfiguration.useHttps(conf);
    String key = https ? YarnConfiguration.RM_WEBAPP_HTTPS_ADDRESS
        : YarnConfiguration.RM_WEBAPP_ADDRESS;
    ArrayNode list = Json.object().arrayNode();
    if (HAUtil.isHAEnabled(conf)) {
      int port = https ? YarnConfiguration.DEFAULT_RM_WEBAPP_HTTPS_PORT
          : YarnConfiguration.DEFAULT_RM_WEBAPP_PORT;
      for (String id : HAUtil.getRMHAIds(conf)) {
        String host = conf.get(YarnConfiguration.RM_HOSTNAME + "." + id);
        addManager(list, https, conf.get(key + "." + id, host == null ? null : host + ":" + port));
      }
    } else {
      addManager(list, https, conf.get(key, https
          ? YarnConfiguration.DEFAULT_RM_WEBAPP_HTTPS_ADDRESS
          : YarnConfiguration.DEFAULT_RM_WEBAPP_ADDRESS));
    }
    return list;
  }

  private static void addManager(ArrayNode list, boolean https, String address) {
    if (address == null) return;
    ObjectNode manager = list.addObject();
    manager.put("url", (https ? "https://" : "http://") + address);
    InetSocketAddress resolved = NetUtils.createSocketAddr(address);
    if (!resolved.isUnresolved()) manager.put("address", resolved.getAddress().getHostAddress());
  }
}
