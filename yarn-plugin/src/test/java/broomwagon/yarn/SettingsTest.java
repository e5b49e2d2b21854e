package broomwagon.yarn;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

final class SettingsTest {
  private final Configuration conf = new Configuration(false);

  private List<String> managers() {
    return new Settings(conf).numbers().get("resourceManagers").findValuesAsText("url");
  }

  @Test
  void theResourceManagerIsWhereItsPagesAre() {
    conf.set("yarn.resourcemanager.webapp.address", "m1:80");
    conf.set("yarn.resourcemanager.webapp.https.address", "m1:443");
    assertEquals(List.of("http://m1:80"), managers());
    conf.set("yarn.http.policy", "HTTPS_ONLY");
    assertEquals(List.of("https://m1:443"), managers());
  }

  @Test
  void ofSeveralEachIsNamedByItsPagesOrByItsHost() {
    conf.set("yarn.resourcemanager.ha.enabled", "true");
    conf.set("yarn.resourcemanager.ha.rm-ids", "x,y,z");
    conf.set("yarn.resourcemanager.hostname.x", "m1");
    conf.set("yarn.resourcemanager.hostname.y", "m2");
    conf.set("yarn.resourcemanager.webapp.address.y", "m2:80");
    assertEquals(List.of("http://m1:8088", "http://m2:80"), managers());
    conf.set("yarn.http.policy", "HTTPS_ONLY");
    assertEquals(List.of("https://m1:8090", "https://m2:8090"), managers());
  }
}
