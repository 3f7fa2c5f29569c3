/** Idempotency: a key becomes the id of the row it creates, and the claim remembers the body for ever. */
import { createHash, createHmac } from 'node:crypto'
import { v5 } from 'uuid'
import { canonicalJson } from '../domain/canonical.ts'
import { refuse } from '../domain/errors.ts'
import { derivedKeys } from '../platform/encryption.ts'
import { type NewId, newId } from '../domain/ids.ts'
import { type Transaction, first, sql } from './sql.ts'

const NAMESPACE = '6f1d6c39-5f0e-4d6b-9d8e-0d4b8a4a5b61'

/** The first makes what is kept, and all compare it. */
const keys = derivedKeys('idempotency claim')

/**
 * The id and body hash under which a creating request is remembered; `keyed` when the caller sent a key. The id is that
 * of the row which the request makes.
 */
export type Claim = { readonly id: NewId; readonly bodyHash: string; readonly keyed: boolean }

/**
 * With a key: UUIDv5 of person, method, route and key, so that a retry anywhere finds the same row. Without: UUIDv7.
 */
export function claimFor(scope: string, method: string, path: string, key: string | undefined, body: unknown): Claim {
  const bodyHash = hashOf(body)
  if (key === undefined) return { id: newId(), bodyHash, keyed: false }
  const id = v5([scope, method.toUpperCase(), path, key].join('\n'), NAMESPACE) as NewId // of the row to come
  return { id, bodyHash, keyed: true }
}

/** SHA-256 of a value's canonical JSON, in hex. */
export const hashOf = (value: unknown): string =>
  createHash('sha256')
    .update(canonicalJson(value ?? null))
    .digest('hex')

type Key = (typeof keys)[number]

const codeOf = ({ id, secret }: Key, bodyHash: string): string =>
  `${id}:${createHmac('sha256', secret).update(bodyHash).digest('hex')}`

/**
 * What is kept of a body hash: its HMAC-SHA-256 in hex, the id of the key in front. The rest of a body can often be
 * guessed from the row that it made, so that the hash alone would tell an account number to whoever tries them all.
 */
export function storedHash(bodyHash: string): string {
  const [made] = keys
  if (!made) throw new Error('no encryption key')
  return codeOf(made, bodyHash)
}

/**
 * All that may be kept of a body hash: what each configured key makes of it. What a key kept that is configured no
 * longer counts as another body's.
 */
export const acceptedHashes = (bodyHash: string): string[] => keys.map((key) => codeOf(key, bodyHash))

/** Whether what was claimed, as storedHashOf() answers it, is of the body with this hash. */
export const hashMatches = (claimed: string | null | undefined, bodyHash: string): boolean =>
  typeof claimed === 'string' && acceptedHashes(bodyHash).includes(claimed)

/** What was claimed under an id, for hashMatches(); or undefined. */
export const storedHashOf = async (id: string): Promise<string | undefined> =>
  (await first(sql<{ body_hash: string }[]>`select body_hash from idempotency_claims where id = ${id}`))?.body_hash

type NewClaim = { readonly id: string; readonly bodyHash: string }

/** The statement that takes a claim; it answers no row if another request took it first. */
export const insertClaim = (tx: Transaction | typeof sql, { id, bodyHash }: NewClaim) => tx`
  insert into idempotency_claims (id, body_hash) values (${id}, ${storedHash(bodyHash)}) on conflict do nothing returning id`

/** Takes the claim in the transaction that creates the row, sent when it is called; false if another took it first. */
export const takeClaim = async (tx: Transaction | typeof sql, claim: NewClaim): Promise<boolean> =>
  (await insertClaim(tx, claim).execute()).length === 1

/** Keeps a key for this one request: the same again goes on, another is refused `idempotency_key_reused`. */
export async function claimKey(tx: Transaction, claim: Claim): Promise<void> {
  if (await takeClaim(tx, claim)) return
  const [taken] = await tx<{ body_hash: string }[]>`select body_hash from idempotency_claims where id = ${claim.id}`
  if (!hashMatches(taken?.body_hash, claim.bodyHash)) refuse('idempotency_key_reused')
}
