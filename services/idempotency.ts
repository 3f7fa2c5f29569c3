/** Idempotency: a key becomes the id of the row it creates, and the claim keeps the hash of the body. */
import { createHash, createHmac } from 'node:crypto'
import { v5 } from 'uuid'
import { canonicalJson } from '../domain/canonical.ts'
import { refuse } from '../domain/errors.ts'
import { deriveKeys } from '../platform/encryption.ts'
import { type NewId, newId } from '../domain/ids.ts'
import { type Transaction, first, sql } from '../db/postgres/sql.ts'

const NAMESPACE = '6f1d6c39-5f0e-4d6b-9d8e-0d4b8a4a5b61'

/** HMAC keys: the first seals, all compare. */
const keys = deriveKeys('idempotency claim')

/** Id of the row of a request, and the hash of its body; `keyed` if the caller sent a key. */
export type Claim = { readonly id: NewId; readonly bodyHash: string; readonly keyed: boolean }

/** Makes the claim: a UUIDv5 of person, method, route and key, or a UUIDv7 without a key. */
export function claimFor(scope: string, method: string, path: string, key: string | undefined, body: unknown): Claim {
  const bodyHash = hashOf(body)
  if (key === undefined) return { id: newId(), bodyHash, keyed: false }
  return { id: idByKey(scope, method, path, key), bodyHash, keyed: true }
}

/** Derives the id of the row that a request with a key makes: the same for ever, so that lists find it by the key. */
export const idByKey = (scope: string, method: string, path: string, key: string): NewId =>
  v5([scope, method.toUpperCase(), path, key].join('\n'), NAMESPACE) as NewId // id of the future row

/** Hashes a value's canonical JSON: SHA-256 in hex. */
export const hashOf = (value: unknown): string =>
  createHash('sha256')
    .update(canonicalJson(value ?? null))
    .digest('hex')

type Key = (typeof keys)[number]

const codeOf = ({ id, secret }: Key, bodyHash: string): string =>
  `${id}:${createHmac('sha256', secret).update(bodyHash).digest('hex')}`

/**
 * Seals a body hash: its HMAC-SHA-256 in hex, after the id of the key. The bare hash would reveal an account number to
 * a reader of the table who guesses the rest of the body and tries all numbers.
 */
export function sealHash(bodyHash: string): string {
  const [made] = keys
  if (!made) throw new Error('no encryption key')
  return codeOf(made, bodyHash)
}

/** Seals a body hash with each configured key: a hash sealed by a retired key counts as another body. */
export const sealHashWithAllKeys = (bodyHash: string): string[] => keys.map((key) => codeOf(key, bodyHash))

export const hashMatches = (claimed: string | null | undefined, bodyHash: string): boolean =>
  typeof claimed === 'string' && sealHashWithAllKeys(bodyHash).includes(claimed)

/** Reads the stored hash of a claim; undefined if it is not taken. */
export const findHash = async (id: string): Promise<string | undefined> =>
  (await first(sql<{ body_hash: string }[]>`select body_hash from idempotency_claims where id = ${id}`))?.body_hash

type NewClaim = { readonly id: string; readonly bodyHash: string }

/** Builds the statement that takes a claim; it returns no row if another request took it first. */
export const insertClaim = (tx: Transaction | typeof sql, { id, bodyHash }: NewClaim) => tx`
  insert into idempotency_claims (id, body_hash) values (${id}, ${sealHash(bodyHash)}) on conflict do nothing returning id`

/** Takes the claim in the row's transaction, sent when called; false if another request took it first. */
export const takeClaim = async (tx: Transaction | typeof sql, claim: NewClaim): Promise<boolean> =>
  (await insertClaim(tx, claim).execute()).length === 1

/** Reserves a key for this request: a repeat continues, another body is refused `idempotency_key_reused`. */
export async function claimKey(tx: Transaction, claim: Claim): Promise<void> {
  if (await takeClaim(tx, claim)) return
  const [taken] = await tx<{ body_hash: string }[]>`select body_hash from idempotency_claims where id = ${claim.id}`
  if (!hashMatches(taken?.body_hash, claim.bodyHash)) refuse('idempotency_key_reused')
}
