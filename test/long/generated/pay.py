"""Makes a first payment by the generated client, and prints its id and its status."""
import json
import sys

import bfs

host, email, password, code, next_code, organization, contact = sys.argv[1:]
configuration = bfs.Configuration(host=host)
client = bfs.ApiClient(configuration)

sign_in = bfs.AuthenticationApi(client)
challenge = sign_in.sign_in(bfs.SignIn(email=email, password=password)).actual_instance
assert isinstance(challenge, bfs.MfaRequired), challenge
proof = bfs.SignInCode(challenge_token=challenge.challenge_token, code=code)
session = sign_in.complete_sign_in(proof).actual_instance
assert isinstance(session, bfs.Authenticated), session
configuration.access_token = session.token

payments = bfs.PaymentsApi(client)
asked = bfs.NewPayment(
    amount=bfs.RequestMoney(amount="25.00", currency="USD"),
    payment_contact_id=contact,
    payout_reason="services",
    statement_description="Invoice 1",
)
payment = payments.create_payment(asked, idempotency_key="python-1")
assert payments.create_payment(asked, idempotency_key="python-1").id == payment.id
approvals = bfs.ApprovalsApi(client)


def approve():
    """Approves the payment."""
    return approvals.approve_request(organization, str(payment.approval_request_id), approve=bfs.Approve())


try:
    approve()
    raise AssertionError("no step-up was asked for")
except bfs.exceptions.ForbiddenException as refused:
    error = bfs.Error.from_dict(json.loads(refused.body)).error
assert error.type.actual_instance == "step_up_required", error
step_up = bfs.StepUpProof(bfs.TotpProof(method="totp", code=next_code))
bfs.StepUpApi(client).complete_step_up(str(error.step_up.id), step_up)
assert approve().status == "approved"
paid = payments.get_payment(str(payment.id))
print(paid.id, paid.status.value)
