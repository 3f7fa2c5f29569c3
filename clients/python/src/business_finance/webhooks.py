"""Deliveries of webhooks."""
from typing import Any, Dict, Mapping, Union

from standardwebhooks import Webhook


def unwrap(body: Union[bytes, str], headers: Mapping[str, str], secret: str) -> Dict[str, Any]:
    """Verifies a delivery and reads its event.

    Takes the body as it came, not parsed. Raises WebhookVerificationError of `standardwebhooks` if no signature fits,
    or the delivery is more than five minutes old.
    """
    return Webhook(secret).verify(body, dict(headers))
