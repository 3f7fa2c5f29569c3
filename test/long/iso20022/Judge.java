import com.google.gson.Gson;
import com.prowidesoftware.swift.model.mx.AbstractMX;
import com.prowidesoftware.swift.model.mx.MxPain00100109;
import com.prowidesoftware.swift.model.mx.dic.AccountIdentification4Choice;
import com.prowidesoftware.swift.model.mx.dic.CreditTransferTransaction34;
import com.prowidesoftware.swift.model.mx.dic.PaymentInstruction30;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads messages of ISO 20022 by Prowide's model. Reads the path of a file a line, and answers each with a line of JSON:
 * the message's name, how many texts it wrote again, and the transfers of a pain.001.
 */
public class Judge {
  private static final Pattern TEXT = Pattern.compile(">[^<>\\s][^<>]*</");

  public static void main(String[] arguments) throws Exception {
    PrintStream answers = new PrintStream(System.out, true, "UTF-8");
    System.setOut(System.err); // libraries print there
    BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
    for (String order; (order = orders.readLine()) != null; ) {
      answers.println(new Gson().toJson(read(Files.readString(Path.of(order)))));
    }
  }

  private static Map<String, Object> read(String xml) {
    Map<String, Object> answer = new LinkedHashMap<>();
    try {
      AbstractMX message = AbstractMX.parse(xml);
      answer.put("name", message.getMxId().id());
      answer.put("texts", count(message.document()));
      if (message instanceof MxPain00100109) payments((MxPain00100109) message, answer);
    } catch (Exception | LinkageError error) {
      answer.put("fault", error.toString());
    }
    return answer;
  }

  private static int count(String xml) {
    Matcher found = TEXT.matcher(xml);
    int count = 0;
    while (found.find()) count++;
    return count;
  }

  private static void payments(MxPain00100109 message, Map<String, Object> answer) {
    var file = message.getCstmrCdtTrfInitn();
    answer.put("messageId", file.getGrpHdr().getMsgId());
    answer.put("count", file.getGrpHdr().getNbOfTxs());
    answer.put("sum", file.getGrpHdr().getCtrlSum().toPlainString());
    List<Object> transfers = new ArrayList<>();
    for (PaymentInstruction30 part : file.getPmtInf()) {
      answer.put("debtor", account(part.getDbtrAcct().getId()));
      answer.put("day", part.getReqdExctnDt().getDt().toString());
      for (CreditTransferTransaction34 one : part.getCdtTrfTxInf()) transfers.add(transfer(one));
    }
    answer.put("transfers", transfers);
  }

  private static Map<String, Object> transfer(CreditTransferTransaction34 one) {
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("id", one.getPmtId().getEndToEndId());
    answer.put("amount", one.getAmt().getInstdAmt().getValue().toPlainString());
    answer.put("currency", one.getAmt().getInstdAmt().getCcy());
    answer.put("name", one.getCdtr().getNm());
    answer.put("account", account(one.getCdtrAcct().getId()));
    answer.put("reference", one.getRmtInf() == null ? "" : String.join("", one.getRmtInf().getUstrd()));
    return answer;
  }

  private static String account(AccountIdentification4Choice id) {
    return id.getIBAN() != null ? id.getIBAN() : id.getOthr().getId();
  }
}
