package broomwagon.yarn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SignaturesTest {
  @Test
  void theHadoopThatWeBuildAgainstHasThemAll() {
    assertNull(Signatures.missing(Signatures.SPECULATOR));
    assertNull(Signatures.missing(Signatures.APP_MASTER));
  }

  @ParameterizedTest
  @CsvSource({
      "java.lang.Object, override toString():String, true",
      "java.lang.Object, override clone():Object, true",
      "java.lang.Object, override getClass():Class, false",
      "java.lang.String, override toString():String, false",
      "java.lang.Thread, override yield():void, false",
      "java.lang.String, coder():byte, false",
      "java.lang.String, near coder():byte, true",
      "java.lang.String, near value:byte[], false",
      "java.lang.String, inside value:byte[], true",
  })
  void aMemberMustBeOpenToItsUse(String type, String member, boolean isThere) {
    String missing = Signatures.missing(List.of(new Signatures.Of(type, member)));
    assertEquals(isThere ? null : type + " " + member, missing);
  }

  @Test
  void namesTheFirstThatIsMissing() {
    String text = String.class.getName();
    assertNull(Signatures.missing(List.of(new Signatures.Of(text, "indexOf(String,int):int"))));
    assertEquals("java.lang.String indexOf(String,int):long", Signatures.missing(
        List.of(new Signatures.Of(text, "length():int", "indexOf(String,int):long", "none:int"))));
    assertEquals("java.lang.NoSuch",
        Signatures.missing(List.of(new Signatures.Of("java.lang.NoSuch", "length():int"))));
  }
}
