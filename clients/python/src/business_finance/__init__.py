"""Client of the business finance service: operations in `api`, and what a program needs around them."""
from .client import connect, open_session, pages, prove_by_code, refusal_of, with_step_up
from .webhooks import unwrap

__all__ = ["connect", "open_session", "pages", "prove_by_code", "refusal_of", "unwrap", "with_step_up"]
