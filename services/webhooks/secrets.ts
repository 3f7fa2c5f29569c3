/** Secrets of webhook endpoints, and their signatures (Standard Webhooks). */
import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { decryptForRow, encryptForRow } from '../../platform/encryption.ts'

const SECRET_BYTES = 32

/** Latest secret, the earlier one until its end, and the credentials of a log stream. */
type Secrets = {
  readonly secret: string
  readonly previous?: string
  /** Header of each request. */
  readonly authorization?: string | undefined
  /** Authorities of the certificate, in PEM. */
  readonly ca?: string | undefined
}

export const sealSecrets = (id: string, secrets: Secrets): Buffer => encryptForRow(id, secrets)

export const openSecrets = (id: string, sealed: Uint8Array): Secrets => decryptForRow(id, sealed) as Secrets

/** Makes a secret: `whsec_` and 256 random bits in base64. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`

/**
 * Signs a delivery with each secret. `id` is the event's, the same at every try; `at` is system time, since receivers
 * refuse what is older than five minutes by theirs.
 */
export const signDelivery = (
  { id, body }: { readonly id: string; readonly body: string },
  secrets: readonly string[],
  at = new Date(),
): Record<string, string> => ({
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
  'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
})
