/** How events are signed for whom they are sent to: Standard Webhooks, as its library verifies them. */
import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'

const SECRET_BYTES = 32

/** A new secret of an endpoint: `whsec_` and 256 random bits in base64. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`

/**
 * The headers that prove a delivery: one signature for each secret, any of which the receiver may hold. `id` is the
 * event's, the same with every try, by which a receiver knows what it has had already. `at` is system time, which
 * receivers compare with theirs: they refuse what is older than five minutes.
 */
export const signed = (
  { id, body }: { readonly id: string; readonly body: string },
  secrets: readonly string[],
  at = new Date(),
): Record<string, string> => ({
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
  'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
})
