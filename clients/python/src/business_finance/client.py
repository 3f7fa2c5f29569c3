"""Connections, pages of lists, refusals and step-ups, around the operations of `business_finance.api`."""
import json
from typing import Any, Callable, Iterator, Optional, TypeVar

from urllib3 import Retry

from . import api

Answer = TypeVar("Answer")
Prove = Callable[[api.ApiClient, Any], None]

# Reads alone: a write is repeated by the program, under the Idempotency-Key that it keeps.
READS = Retry(
    total=4,
    backoff_factor=0.5,
    allowed_methods={"GET"},
    status_forcelist={408, 429, 503},
    raise_on_status=False,
)


def connect(base_url: str, token: Optional[str] = None) -> api.ApiClient:
    """Connects to the service with a session token, an API key, or the token of a delegate.

    Reads are repeated after a lost connection, 408, 429 and 503, as Retry-After says.
    """
    return api.ApiClient(api.Configuration(host=base_url, access_token=token, retries=READS))


def open_session(base_url: str, email: str, password: str, code: Callable[[], str]) -> api.ApiClient:
    """Signs a person in and connects with the new session; `code` answers a code of the authenticator.

    Raises ApiException for a refusal, and ValueError if the person signs in with a passkey alone.
    """
    client = connect(base_url)
    authentication = api.AuthenticationApi(client)
    answer = authentication.sign_in(api.SignIn(email=email, password=password)).actual_instance
    if isinstance(answer, api.MfaRequired):
        proof = api.SignInCode(challenge_token=answer.challenge_token, code=code())
        answer = authentication.complete_sign_in(proof).actual_instance
    if not isinstance(answer, api.Authenticated):
        raise ValueError(f"the sign-in asks for more than a code: {type(answer).__name__}")
    client.configuration.access_token = answer.token
    return client


def pages(operation: Callable[..., Any], *arguments: Any, **filters: Any) -> Iterator[Any]:
    """Iterates through a list, item by item, over all its pages: `pages(payments.list_payments, id, limit=100)`."""
    cursor = None
    while True:
        page = operation(*arguments, **filters, **({"cursor": cursor} if cursor else {}))
        yield from page.data
        cursor = page.next_cursor
        if not cursor:
            return


def refusal_of(error: api.ApiException) -> Optional[Any]:
    """Reads the refusal of the service: `type`, `message`, `details`, `request_id`; None for another answer."""
    try:
        return api.Error.from_dict(json.loads(error.body or "")).error
    except (ValueError, AttributeError):
        return None


def with_step_up(client: api.ApiClient, call: Callable[[], Answer], prove: Prove) -> Answer:
    """Makes a call; if it asks for a step-up, proves that and makes the call again, unchanged.

    Raises ApiException for any other refusal, and if the proof is refused.
    """
    try:
        return call()
    except api.ApiException as error:
        refusal = refusal_of(error)
        if refusal is None or refusal.type.actual_instance != "step_up_required":
            raise
        prove(client, refusal.step_up)
    return call()


def prove_by_code(code: Callable[[], str]) -> Prove:
    """Proves step-ups by codes of the authenticator: `code` asks the person for one, each good once."""

    def prove(client: api.ApiClient, step_up: Any) -> None:
        proof = api.StepUpProof(api.TotpProof(method="totp", code=code()))
        api.StepUpApi(client).complete_step_up(str(step_up.id), proof)

    return prove
