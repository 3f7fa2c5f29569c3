/** Envelope encryption: content under a key of its own, which is sealed. A rotation seals the keys again, not the content. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { decrypt, encrypt } from './encryption.ts'

const [KEY_BYTES, IV_BYTES, TAG_BYTES] = [32, 12, 16]

export type Envelope = { readonly content: Buffer; readonly sealedKey: Buffer }

/** Encrypts content as `iv, tag, ciphertext` (AES-256-GCM). */
export function sealContent(plain: Uint8Array): Envelope {
  const [key, iv] = [randomBytes(KEY_BYTES), randomBytes(IV_BYTES)]
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()])
  return { content: Buffer.concat([iv, cipher.getAuthTag(), sealed]), sealedKey: encrypt(key) }
}

/** Decrypts content. Throws for content that was changed, and `KeyUnknown` without the key of its key. */
export function openContent({ content, sealedKey }: Envelope): Buffer {
  const iv = content.subarray(0, IV_BYTES)
  const cipher = createDecipheriv('aes-256-gcm', decrypt(sealedKey), iv)
  cipher.setAuthTag(content.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
  return Buffer.concat([cipher.update(content.subarray(IV_BYTES + TAG_BYTES)), cipher.final()])
}
