package broomwagon.yarn;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The members that we use of Hadoop's internal classes, looked up by name at the start: an
 * unexpected Hadoop costs the job its copies, or only their placement, but does not end the job.
 */
final class Signatures {
  private static final String APP = "org.apache.hadoop.mapreduce.v2.app.";

  /**
   * A class, and its members: {@code name(Type,Type):Type}, {@code name:Type} for a field. They are
   * used by other classes or those that extend it, if no word before them says otherwise:
   * {@code override}, {@code near} from its own package, {@code inside} by reflection.
   */
  record Of(String className, String... members) { }

  static final List<Of> SPECULATOR = List.of(
      new Of(APP + "MRAppMaster", "getDispatcher():Dispatcher"),
      new Of(APP + "MRAppMaster$RunningAppContext", "inside this$0:MRAppMaster"),
      new Of("org.apache.hadoop.yarn.event.AsyncDispatcher", "register(Class,EventHandler):void"),
      new Of(APP + "speculate.SpeculatorEvent", "new(JobId,long)",
          "getReportedStatus():TaskAttemptStatus"),
      new Of(APP + "job.impl.JobImpl", "getInternalState():JobStateInternal"),
      new Of(APP + "job.impl.TaskImpl", "handle(TaskEvent):void"),
      new Of(APP + "job.impl.TaskAttemptImpl", "handle(TaskAttemptEvent):void",
          "getAvataar():Avataar"),
      new Of(APP + "job.impl.MapTaskImpl", "inside getTaskSplitMetaInfo():TaskSplitMetaInfo"),
      new Of(APP + "job.event.TaskEvent", "new(TaskId,TaskEventType)", "getTaskID():TaskId"),
      new Of(APP + "job.event.TaskEventType", "T_ADD_SPEC_ATTEMPT:TaskEventType",
          "T_RECOVER:TaskEventType", "T_ATTEMPT_SUCCEEDED:TaskEventType",
          "T_ATTEMPT_FAILED:TaskEventType", "T_ATTEMPT_KILLED:TaskEventType"),
      new Of(APP + "job.event.TaskTAttemptEvent", "getTaskAttemptID():TaskAttemptId"),
      new Of(APP + "job.event.TaskAttemptKillEvent", "new(TaskAttemptId,String)"),
      new Of(APP + "job.event.JobUpdatedNodesEvent", "getUpdatedNodes():List"),
      new Of(APP + "job.event.JobFinishEvent"));

  static final List<Of> APP_MASTER = List.of(
      new Of(APP + "MRAppMaster",
          "new(ApplicationAttemptId,ContainerId,String,int,int,long)",
          "override createPreemptionPolicy(Configuration):AMPreemptionPolicy",
          "override createContainerAllocator(ClientService,AppContext):ContainerAllocator",
          "override notifyIsLastAMRetry(boolean):void",
          "initAndStartAppMaster(MRAppMaster,JobConf,String):void",
          "isLastAMRetry:boolean", "inside mainStarted:boolean", "SHUTDOWN_HOOK_PRIORITY:int"),
      new Of(APP + "local.LocalContainerAllocator",
          "new(ClientService,AppContext,String,int,int,ContainerId)"),
      new Of(APP + "rm.RMCommunicator",
          "override createSchedulerProxy():ApplicationMasterProtocol",
          "setShouldUnregister(boolean):void", "setSignalled(boolean):void",
          "getLastHeartbeatTime():long", "runOnNextHeartbeat(Runnable):void",
          "applicationACLs:Map", "eventHandler:EventHandler"),
      new Of(APP + "rm.RMContainerRequestor", "override addOutstandingRequestOnResync():void",
          "near release(ContainerId):void", "near isNodeBlacklisted(String):boolean"),
      new Of(APP + "rm.RMContainerAllocator",
          "new(ClientService,AppContext,AMPreemptionPolicy)",
          "override handleEvent(ContainerAllocatorEvent):void", "override heartbeat():void",
          "near getAssignedRequests():AssignedRequests", "near PRIORITY_MAP:Priority",
          "near PRIORITY_REDUCE:Priority"),
      new Of(APP + "rm.RMContainerAllocator$AssignedRequests",
          "near add(Container,TaskAttemptId):void"),
      new Of(APP + "rm.ContainerRequestEvent", "getCapability():Resource"),
      new Of(APP + "rm.ContainerAllocatorEvent", "getAttemptID():TaskAttemptId"),
      new Of(APP + "job.event.TaskAttemptContainerAssignedEvent",
          "new(TaskAttemptId,Container,Map)"));

  private Signatures() { }

  /** The first thing that is missing, or null. */
  static String missing(List<Of> wanted) {
    for (Of of : wanted) {
      Map<String, Integer> there;
      int ofClass;
      try {
        Class<?> type = Class.forName(of.className(), false, Signatures.class.getClassLoader());
        there = members(type);
        ofClass = type.getModifiers();
      } catch (ClassNotFoundException | LinkageError e) {
        return of.className();
      }
      for (String member : of.members()) {
        int space = member.indexOf(' ');
        Integer modifiers = there.get(member.substring(space + 1));
        String use = space < 0 ? "call" : member.substring(0, space);
        boolean isThere = modifiers != null && allow(modifiers, use, ofClass);
        if (!isThere) return of.className() + " " + member;
      }
    }
    return null;
  }

  private static boolean allow(int modifiers, String use, int ofClass) {
    boolean open = Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    return switch (use) {
      case "call" -> open;
      case "override" -> open && !Modifier.isStatic(modifiers)
          && !Modifier.isFinal(modifiers | ofClass);
      case "near" -> !Modifier.isPrivate(modifiers);
      case "inside" -> true;
      default -> throw new IllegalArgumentException(use);
    };
  }

  /** Each member's modifiers. */
  private static Map<String, Integer> members(Class<?> type) {
    Map<String, Integer> found = new HashMap<>();
    for (Method method : type.getDeclaredMethods()) found.put(text(method), method.getModifiers());
    for (Constructor<?> made : type.getDeclaredConstructors()) {
      found.put(text(made), made.getModifiers());
    }
    for (Field field : type.getDeclaredFields()) found.put(text(field), field.getModifiers());
    return found;
  }

  private static String text(Method method) {
    return method.getName() + parameters(method) + ":" + method.getReturnType().getSimpleName();
  }

  private static String text(Constructor<?> constructor) {
    return "new" + parameters(constructor);
  }

  private static String text(Field field) {
    return field.getName() + ":" + field.getType().getSimpleName();
  }

  private static String parameters(Executable of) {
    return Arrays.stream(of.getParameterTypes()).map(Class::getSimpleName)
        .collect(Collectors.joining(",", "(", ")"));
  }
}
