"""Pays the demo contact: signs in, asks for a payment, approves it by a code, and waits for its settlement."""
import sys
import time

from business_finance import api, open_session, pages, prove_by_code, with_step_up

base_url, email, password, organization_id, contact_id = sys.argv[1:]


def ask() -> str:
    print("Code: ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip()


client = open_session(base_url, email, password, ask)
payments = api.PaymentsApi(client)
asked = api.NewPayment(
    amount=api.RequestMoney(amount="25.00", currency="USD"),
    payment_contact_id=contact_id,
    payout_reason="services",
    statement_description="Invoice 3001",
)
payment = payments.create_payment(asked, idempotency_key="invoice-3001")
approvals = api.ApprovalsApi(client)


def approve():
    return approvals.approve_request(
        organization_id,
        str(payment.approval_request_id),
        idempotency_key="approve-invoice-3001",
        approve=api.Approve(),
    )


with_step_up(client, approve, prove_by_code(ask))
while payments.get_payment(str(payment.id)).status.value != "succeeded":
    time.sleep(0.2)
listed = [str(one.id) for one in pages(payments.list_payments, organization_id, limit=1)]
print(f"paid 25.00 USD: {payment.id}, one of {len(listed)} payments")
