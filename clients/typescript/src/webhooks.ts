/** Deliveries of webhooks: verified, and typed by their event. */
import { Webhook } from 'standardwebhooks'
import type { AnyWebhookDelivery } from './schemas.ts'

type HeaderSource = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * Verifies a delivery and answers it. Throws if no signature fits or it is more than five minutes old.
 * @param body as it came, not parsed
 */
export function unwrap(body: string, headers: HeaderSource, secret: string): AnyWebhookDelivery {
  const read = (name: string) => (headers instanceof Headers ? headers.get(name) : [headers[name]].flat()[0]) ?? ''
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
  return new Webhook(secret).verify(
    body,
    Object.fromEntries(names.map((name) => [name, read(name)])),
  ) as AnyWebhookDelivery
}
