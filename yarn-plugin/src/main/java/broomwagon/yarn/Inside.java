package broomwagon.yarn;

import java.lang.reflect.Field;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.MRAppMaster;
import org.apache.hadoop.yarn.event.AsyncDispatcher;

/** The AM behind the context that a Speculator is given. */
final class Inside {
  private Inside() { }

  /**
   * @throws ReflectiveOperationException if the context is not the AM's own: its inner class, whose
   *     one way out is the field that the compiler made
   */
  static MRAppMaster master(AppContext context) throws ReflectiveOperationException {
    Field outer = context.getClass().getDeclaredField("this$0");
    outer.setAccessible(true);
    if (outer.get(context) instanceof MRAppMaster master) return master;
    throw new NoSuchFieldException("this$0 of " + context.getClass().getName());
  }

  /**
   * The dispatcher, to which a second listener of a type of events can be added: it hears each
   * event after the AM itself, on the same thread, so that states are already the new ones.
   */
  static AsyncDispatcher dispatcher(MRAppMaster master) throws ReflectiveOperationException {
    if (master.getDispatcher() instanceof AsyncDispatcher dispatcher) return dispatcher;
    throw new NoSuchMethodException("a dispatcher that takes a second listener");
  }
}
