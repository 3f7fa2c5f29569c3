/** Envelope encryption: content under a key of its own, which is sealed. A rotation seals the keys again, not the content. */
import { createSecretKey, randomBytes } from 'node:crypto'
import { decrypt, decryptUnder, encrypt, encryptUnder } from './encryption.ts'

const KEY_BYTES = 32

export type Envelope = { readonly content: Buffer; readonly sealedKey: Buffer }

/** Encrypts content under a new key. */
export function sealContent(plain: Uint8Array): Envelope {
  const key = randomBytes(KEY_BYTES)
  return { content: Buffer.concat(encryptUnder(createSecretKey(key), plain)), sealedKey: encrypt(key) }
}

/** Decrypts content. Throws for content that was changed, and `KeyUnknown` without the key of its key. */
export const openContent = ({ content, sealedKey }: Envelope): Buffer =>
  decryptUnder(createSecretKey(decrypt(sealedKey)), content)
