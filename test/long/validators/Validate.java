import java.io.BufferedReader;
import java.io.File;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URL;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.XMLConstants;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import net.sf.saxon.s9api.Processor;
import net.sf.saxon.s9api.QName;
import net.sf.saxon.s9api.XPathCompiler;
import net.sf.saxon.s9api.XdmDestination;
import net.sf.saxon.s9api.XdmItem;
import net.sf.saxon.s9api.XdmNode;
import net.sf.saxon.s9api.XsltExecutable;
import net.sf.saxon.s9api.XsltTransformer;
import org.mustangproject.validator.ZUGFeRDValidator;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.PDFAParser;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.results.TestAssertion;
import org.verapdf.pdfa.results.ValidationResult;

/**
 * Validates documents by the official rules, which the class path brings. Reads lines "kind TAB file" and answers each
 * with a line: a JSON array of faults.
 */
public class Validate {
  private static final String UBL = "schema/UBL_21/maindoc/UBL-";
  private static final String CII = "external/schemas/d16b/data/standard/CrossIndustryInvoice_100pD16B.xsd";
  private static final String EN_16931 = "xslt/en16931schematron/EN16931-";
  private static final String XRECHNUNG = "xslt/XR_30/XRechnung-";
  private static final String FACTUR_X = "xslt/ZF_250/FACTUR-X_EN16931.xslt";

  private static final Processor SAXON = new Processor(false);
  private static final Map<String, Schema> SCHEMAS = new HashMap<>();
  private static final Map<String, XsltExecutable> RULES = new HashMap<>();

  public static void main(String[] arguments) throws Exception {
    PrintStream answers = System.out;
    System.setOut(System.err); // validators print there
    VeraGreenfieldFoundryProvider.initialise();
    BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
    for (String order; (order = orders.readLine()) != null; ) {
      String[] parts = order.split("\t");
      List<String> faults;
      try {
        faults = faultsOf(parts[0], new File(parts[1]));
      } catch (Exception | LinkageError error) {
        faults = List.of("not validated: " + error);
      }
      answers.println(json(faults));
      answers.flush();
    }
  }

  private static List<String> faultsOf(String kind, File file) throws Exception {
    switch (kind) {
      case "pdf":
        return inPdf(file);
      case "factur-x":
        return inFacturX(file);
      case "cii":
        return inXml(file, CII, EN_16931 + "CII-validation.xslt", FACTUR_X);
      case "ubl":
        return inXml(file, ublOf(file), EN_16931 + "UBL-validation.xslt");
      case "xrechnung":
        return inXml(file, ublOf(file), EN_16931 + "UBL-validation.xslt", XRECHNUNG + "UBL-validation.xslt");
      default:
        throw new IllegalArgumentException(kind);
    }
  }

  private static List<String> inPdf(File file) throws Exception {
    try (PDFAParser parser = Foundries.defaultInstance().createParser(file, PDFAFlavour.PDFA_3_B)) {
      ValidationResult result = Foundries.defaultInstance().createValidator(PDFAFlavour.PDFA_3_B, false).validate(parser);
      List<String> faults = new ArrayList<>();
      for (TestAssertion one : result.getTestAssertions()) {
        if (one.getStatus() != TestAssertion.Status.FAILED) continue;
        faults.add(one.getRuleId().getClause() + "-" + one.getRuleId().getTestNumber() + " " + one.getMessage()
            + " @ " + one.getLocation().getContext());
      }
      if (!result.isCompliant() && faults.isEmpty()) faults.add("not compliant");
      return faults;
    }
  }

  /** Validates metadata, attachment and embedded XML together, as readers of Factur-X do. */
  private static List<String> inFacturX(File file) {
    ZUGFeRDValidator validator = new ZUGFeRDValidator();
    validator.disableArithmeticCheck(); // it rounds yen to hundredths; the rules of EN 16931 check all sums
    String report = validator.validate(file.getPath());
    List<String> faults = new ArrayList<>();
    Matcher found = Pattern.compile("<(?:error|warning)[ >].*?</(?:error|warning)>", Pattern.DOTALL).matcher(report);
    while (found.find()) faults.add(found.group().replaceAll("\\s+", " "));
    if (!validator.wasCompletelyValid() && faults.isEmpty()) faults.add(report);
    return faults;
  }

  private static String ublOf(File file) throws Exception {
    XdmItem root = SAXON.newXPathCompiler().evaluateSingle("local-name(/*)", SAXON.newDocumentBuilder().build(file));
    return UBL + root.getStringValue() + "-2.1.xsd";
  }

  private static List<String> inXml(File file, String schema, String... rules) throws Exception {
    try {
      schemaOf(schema).newValidator().validate(new StreamSource(file));
    } catch (org.xml.sax.SAXException fault) {
      return List.of(fault.getMessage());
    }
    List<String> faults = new ArrayList<>();
    for (String name : rules) {
      XsltTransformer transformer = rulesOf(name).load();
      XdmDestination report = new XdmDestination();
      transformer.setURIResolver((href, base) -> new StreamSource(beside(name, href).toString()));
      transformer.setSource(new StreamSource(file));
      transformer.setDestination(report);
      transformer.transform();
      XPathCompiler paths = SAXON.newXPathCompiler();
      paths.declareNamespace("svrl", "http://purl.oclc.org/dsdl/svrl");
      if (paths.evaluate("//svrl:fired-rule", report.getXdmNode()).size() == 0) faults.add(name + " fired no rule");
      for (XdmItem one : paths.evaluate("//svrl:failed-assert | //svrl:successful-report", report.getXdmNode())) {
        XdmNode fault = (XdmNode) one;
        faults.add(name + ": " + fault.getAttributeValue(new QName("id")) + " " + fault.getAttributeValue(new QName("flag"))
            + " " + fault.getStringValue().trim().replaceAll("\\s+", " ") + " @ "
            + fault.getAttributeValue(new QName("location")).replaceAll("Q?\\{[^}]*\\}|\\*:|\\[namespace-uri\\(\\)='[^']*'\\]", ""));
      }
    }
    return faults;
  }

  private static Schema schemaOf(String name) throws Exception {
    if (!SCHEMAS.containsKey(name)) {
      SchemaFactory schemas = SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI);
      SCHEMAS.put(name, schemas.newSchema(resource(name)));
    }
    return SCHEMAS.get(name);
  }

  private static XsltExecutable rulesOf(String name) throws Exception {
    if (!RULES.containsKey(name)) {
      try (InputStream text = resource(name).openStream()) {
        RULES.put(name, SAXON.newXsltCompiler().compile(new StreamSource(text, resource(name).toString())));
      }
    }
    return RULES.get(name);
  }

  /** Finds a file that a rule names: relative addresses are not resolved within a jar. */
  private static URL beside(String name, String file) {
    return resource(name.substring(0, name.lastIndexOf('/') + 1) + file);
  }

  private static URL resource(String name) {
    return Validate.class.getClassLoader().getResource(name);
  }

  private static String json(List<String> texts) {
    StringBuilder written = new StringBuilder("[");
    for (String text : texts) {
      written.append(written.length() > 1 ? ",\"" : "\"");
      for (char one : text.toCharArray()) {
        if (one == '"' || one == '\\') written.append('\\').append(one);
        else if (one < ' ' || one > '~') written.append(String.format("\\u%04x", (int) one));
        else written.append(one);
      }
      written.append('"');
    }
    return written.append(']').toString();
  }
}
