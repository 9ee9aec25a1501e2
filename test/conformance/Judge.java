// Runs veraPDF: lines `flavour<TAB>path` on standard input, such as 2b or ua1, and a line for each on standard output:
// PASS, FAIL or ERR, the path, and the rules that failed.
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.PDFAParser;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.results.TestAssertion;
import org.verapdf.pdfa.results.ValidationResult;

public class Judge {
  public static void main(String[] arguments) throws Exception {
    PrintStream out = System.out;
    System.setOut(System.err);
    VeraGreenfieldFoundryProvider.initialise();
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line; (line = in.readLine()) != null; ) {
      String[] parts = line.split("\t", 2);
      out.println(verdict(parts[0], parts[1]));
      out.flush();
    }
  }

  private static String verdict(String name, String path) {
    PDFAFlavour flavour = PDFAFlavour.byFlavourId(name);
    try (PDFAParser parser = Foundries.defaultInstance().createParser(new FileInputStream(path), flavour)) {
      ValidationResult result = Foundries.defaultInstance().createValidator(flavour, false).validate(parser);
      Set<String> failed = new TreeSet<>();
      for (TestAssertion assertion : result.getTestAssertions())
        if (assertion.getStatus() == TestAssertion.Status.FAILED)
          failed.add(assertion.getRuleId().getClause() + "-" + assertion.getRuleId().getTestNumber());
      return (result.isCompliant() ? "PASS" : "FAIL") + "\t" + path + "\t" + String.join(" ", failed);
    } catch (Throwable error) {
      return "ERR\t" + path + "\t" + error;
    }
  }
}
