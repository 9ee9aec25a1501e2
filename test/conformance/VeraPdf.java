// Stands in for the command `verapdf`: the library's own validation and its own report, of standard input.
import java.util.EnumSet;
import org.verapdf.features.FeatureFactory;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.metadata.fixer.FixerFactory;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.validation.validators.ValidatorConfig;
import org.verapdf.pdfa.validation.validators.ValidatorConfigBuilder;
import org.verapdf.processor.BatchProcessor;
import org.verapdf.processor.FormatOption;
import org.verapdf.processor.ProcessorConfig;
import org.verapdf.processor.ProcessorFactory;
import org.verapdf.processor.TaskType;
import org.verapdf.processor.plugins.PluginsCollectionConfig;
import org.verapdf.processor.reports.ItemDetails;

public class VeraPdf {
  public static void main(String[] arguments) throws Exception {
    if (!arguments[0].equals("--format") || !arguments[2].equals("--flavour")) throw new IllegalArgumentException();
    VeraGreenfieldFoundryProvider.initialise();
    PDFAFlavour flavour = PDFAFlavour.byFlavourId(arguments[3]);
    ValidatorConfig validator = new ValidatorConfigBuilder().flavour(flavour).build();
    ProcessorConfig config =
        ProcessorFactory.fromValues(
            validator,
            FeatureFactory.defaultConfig(),
            PluginsCollectionConfig.defaultConfig(),
            FixerFactory.defaultConfig(),
            EnumSet.of(TaskType.VALIDATE));
    try (BatchProcessor processor = ProcessorFactory.fileBatchProcessor(config)) {
      processor.process(
          ItemDetails.fromValues("STDIN"),
          System.in,
          ProcessorFactory.getHandler(FormatOption.fromOption(arguments[1]), false, System.out, false));
    }
  }
}
