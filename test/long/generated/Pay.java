import bfs.ApiClient;
import bfs.ApiException;
import bfs.api.ApprovalsApi;
import bfs.api.AuthenticationApi;
import bfs.api.PaymentsApi;
import bfs.api.StepUpApi;
import bfs.model.*;
import java.util.UUID;

/** Makes a first payment by the generated client, and prints its id and its status. */
public class Pay {
  public static void main(String[] arguments) throws Exception {
    String host = arguments[0], email = arguments[1], password = arguments[2];
    String code = arguments[3], nextCode = arguments[4];
    UUID organization = UUID.fromString(arguments[5]), contact = UUID.fromString(arguments[6]);
    ApiClient client = new ApiClient();
    client.updateBaseUri(host);

    AuthenticationApi authentication = new AuthenticationApi(client);
    SignInAnswer first = authentication.signIn(new SignIn().email(email).password(password));
    SignInCode proof = new SignInCode().challengeToken(first.getMfaRequired().getChallengeToken()).code(code);
    String token = authentication.completeSignIn(proof).getAuthenticated().getToken();
    client.setRequestInterceptor(request -> request.header("authorization", "Bearer " + token));

    PaymentsApi payments = new PaymentsApi(client);
    NewPayment asked = new NewPayment()
        .amount(new RequestMoney().amount("25.00").currency("USD"))
        .paymentContactId(contact)
        .payoutReason("services")
        .statementDescription("Invoice 1");
    Payment payment = payments.createPayment(asked, "java-1");
    require(payments.createPayment(asked, "java-1").getId().equals(payment.getId()), "a repeat made another payment");

    ApprovalsApi approvals = new ApprovalsApi(client);
    UUID approval = payment.getApprovalRequestId();
    ErrorBody refused = null;
    try {
      approvals.approveRequest(organization, approval, null, new Approve());
    } catch (ApiException exception) {
      refused = client.getObjectMapper().readValue(exception.getResponseBody(), bfs.model.Error.class).getError();
    }
    require(refused != null && refused.getStepUp() != null, "no step-up was asked for");
    TotpProof totp = new TotpProof().method(TotpProof.MethodEnum.TOTP).code(nextCode);
    new StepUpApi(client).completeStepUp(refused.getStepUp().getId(), new StepUpProof(totp));
    approvals.approveRequest(organization, approval, null, new Approve());
    Payment paid = payments.getPayment(payment.getId());
    System.out.println(paid.getId() + " " + paid.getStatus().getValue());
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) throw new IllegalStateException(otherwise);
  }
}
