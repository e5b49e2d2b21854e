package org.apache.hadoop.mapreduce.v2.app.rm;

import broomwagon.yarn.Placement.Ask;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.util.RackResolver;

/** A request for one container. Instants are milliseconds of a clock that never jumps. */
final class PlacedRequest {
  private final long id;
  private final Ask ask;
  private final Priority priority;
  private final Resource size;
  private final String label;
  private final long since;
  private boolean sent;

  /** @param label the expression of node labels that the job gives for such a task, or null */
  PlacedRequest(long id, Ask ask, Priority priority, Resource size, String label, long since) {
    this.id = id;
    this.ask = ask;
    this.priority = priority;
    this.size = size;
    this.label = label;
    this.since = since;
  }

  long id() {
    return id;
  }

  Ask ask() {
    return ask;
  }

  /** Whether the copy may run there. */
  boolean admits(String host) {
    return ask.hosts() == null || ask.hosts().contains(host);
  }

  boolean isSent() {
    return sent;
  }

  void sent() {
    sent = true;
  }

  /** The ResourceManager no longer knows the request. */
  void unsent() {
    sent = false;
  }

  boolean isLate(long now) {
    return ask.timeoutMs() > 0 && now - since >= ask.timeoutMs();
  }

  /**
   * The requests that the ResourceManager gets: the hosts, their racks, and anywhere; the last two
   * are loose only if the copy may run anywhere.
   *
   * @param containers 1, or 0 to withdraw
   */
  List<ResourceRequest> requests(Configuration conf, int containers) {
    boolean anywhere = ask.hosts() == null;
    List<String> hosts = anywhere ? ask.near() : ask.hosts();
    Set<String> racks = new LinkedHashSet<>();
    List<ResourceRequest> list = new ArrayList<>();
    for (String host : hosts) {
      racks.add(RackResolver.resolve(conf, host).getNetworkLocation());
      list.add(request(host, containers, true));
    }
    for (String rack : racks) list.add(request(rack, containers, anywhere));
    ResourceRequest any = request(ResourceRequest.ANY, containers, anywhere);
    any.setNodeLabelExpression(label);
    list.add(any);
    return list;
  }

  private ResourceRequest request(String where, int containers, boolean relax) {
    return ResourceRequest.newBuilder().allocationRequestId(id).priority(priority)
        .resourceName(where).capability(size).numContainers(containers).relaxLocality(relax)
        .build();
  }
}
