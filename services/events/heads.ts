/** Heads of logs: signed once a day, so that later changes of a log are detected. */
import { type KeyObject, createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import { Readable } from 'node:stream'
import { canonicalJson } from '../../domain/canonical.ts'
import type { EventHead, EventLogKey, JsonWebKey, Verification } from '../../domain/events/log.ts'
import { type FileId, type OrganizationId, newId } from '../../domain/ids.ts'
import type { Page, PageRequest } from '../../domain/pagination.ts'
import { now } from '../../platform/clock.ts'
import { config } from '../../platform/config.ts'
import { keyOf, put } from '../../platform/storage/storage.ts'
import { pageOf } from '../../db/postgres/pagination.ts'
import { type Reader, asSystem, first, readerOf, sql } from '../../db/postgres/sql.ts'
import { verifyBehind } from './verification.ts'

/** Heads in one object of storage. */
const STORED_AT_ONCE = 1000
const HEADS_FOLDER = 'event-heads' as FileId // no file has such an id, so it is never purged
/** Bytes in front of the 32 bytes of an Ed25519 private key (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

type SigningKey = { readonly id: string; readonly key: KeyObject }
const KEYS: readonly SigningKey[] = config.eventLogKeys.map(({ id, secret }) => ({
  id,
  key: createPrivateKey({ key: Buffer.concat([PKCS8, secret]), format: 'der', type: 'pkcs8' }),
}))

/** Lists the public halves of all configured keys; the first one signs. */
export const publicKeys = (): EventLogKey[] =>
  KEYS.map(({ id, key }) => ({
    id,
    algorithm: 'Ed25519',
    public_key: createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString(),
  }))

export const listHeads = (reader: Reader, page: PageRequest): Promise<Page<EventHead>> =>
  pageOf<EventHead>(
    reader,
    'event_heads',
    page,
    sql`select event_heads.id, event_heads.organization_id, seq::float8 as seq, encode(hash, 'hex') as hash, key_id, statement,
        replace(encode(signature, 'base64'), E'\\n', '') as signature, event_heads.inserted_at as published_at
      from event_heads where true`,
  )

/** Lists the organizations of a page whose logs have grown; `reached` is the last of the page, null at the end. */
export async function organizationsDue(
  after: OrganizationId | null,
  limit: number,
): Promise<{ due: OrganizationId[]; reached: OrganizationId | null }> {
  const rows = await sql<{ organization_id: OrganizationId | null; reached: OrganizationId }[]>`
    select organization_id, reached from event_heads_due(${after}, ${limit})`
  return { due: rows.flatMap((row) => row.organization_id ?? []), reached: rows[0]?.reached ?? null }
}

export type SignedHead = { readonly key_id: string; readonly statement: string; readonly signature: string }

export function signStatement(stated: (keyId: string) => object): SignedHead {
  const [signing] = KEYS
  if (!signing) throw new Error('no key signs heads')
  const statement = canonicalJson(stated(signing.id))
  const signature = sign(null, Buffer.from(statement), signing.key).toString('base64')
  return { key_id: signing.id, statement, signature }
}

/** Signs claims as a compact JWS (EdDSA, RFC 8037); its header is no statement, so that neither passes as the other. */
export function signToken(typ: string, claims: object): string {
  const [signing] = KEYS
  if (!signing) throw new Error('no key signs tokens')
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')
  const signed = `${encode({ alg: 'EdDSA', kid: signing.id, typ })}.${encode(claims)}`
  return `${signed}.${sign(null, Buffer.from(signed), signing.key).toString('base64url')}`
}

/** Lists the public halves of all configured keys as JSON Web Keys (RFC 7517). */
export const publicJsonWebKeys = (): JsonWebKey[] =>
  KEYS.map(({ id, key }) => {
    const { x = '' } = createPublicKey(key).export({ format: 'jwk' })
    return { kty: 'OKP', crv: 'Ed25519', x, kid: id, use: 'sig', alg: 'EdDSA' }
  })

/** Tells if one of our keys has signed a statement. */
export function isSigned({ key_id: keyId, statement, signature }: SignedHead): boolean {
  const key = KEYS.find(({ id }) => id === keyId)?.key
  if (!key) return false
  return verify(null, Buffer.from(statement), createPublicKey(key), Buffer.from(signature, 'base64'))
}

type HeadRow = { seq: number; hash: string; event_id: null; statement: string }

/**
 * Verifies a log behind its last head, and publishes its head. Returns the first fault, and publishes nothing then.
 * Idempotent.
 */
export async function publishHead(organizationId: OrganizationId): Promise<Verification['first_bad']> {
  const reader = readerOf(organizationId)
  const last = await first(
    reader<HeadRow>(sql`
      select seq::float8 as seq, encode(hash, 'hex') as hash, null::uuid as event_id, statement from event_heads
      where organization_id = ${organizationId} order by event_heads.seq desc limit 1`),
  )
  const { head, bad } = await verifyBehind(reader, last)
  if (bad || !head || !head.hash) return bad
  const { seq, hash } = head
  const previous = last ? createHash('sha256').update(last.statement).digest('hex') : null
  const { key_id, statement, signature } = signStatement((keyId) => ({
    hash,
    key_id: keyId,
    organization_id: organizationId,
    previous,
    published_at: now().toISOString(),
    seq,
  }))
  await asSystem(
    organizationId,
    (tx) => tx`
      insert into event_heads (organization_id, seq, hash, previous, statement, key_id, signature)
      values (${organizationId}, ${seq}, decode(${hash}, 'hex'), decode(${previous}, 'hex'), ${statement}, ${key_id},
        decode(${signature}, 'base64'))
      on conflict do nothing`,
  )
  return null
}

type UnstoredHead = { id: string; key_id: string; statement: string; signature: Buffer }

/** Puts published heads into storage, each line a head as JSON. At least once. */
export async function storeHeads(): Promise<void> {
  for (;;) {
    const heads = await sql<UnstoredHead[]>`select * from event_heads_to_store(${STORED_AT_ONCE})`
    if (heads.length === 0) return
    const lines = heads.map(({ key_id, statement, signature }) =>
      JSON.stringify({ key_id, statement, signature: signature.toString('base64') }),
    )
    const key = keyOfHeads(`${now().toISOString().slice(0, 10)}-${newId()}`)
    await putLines(key, lines)
    await sql`select event_heads_are_stored(${heads.map(({ id }) => id)}::uuid[], ${key})`
  }
}

export const keyOfHeads = (name: string) => keyOf(HEADS_FOLDER, name)

export const putLines = (key: ReturnType<typeof keyOf>, lines: readonly string[]) =>
  put(key, Readable.from([Buffer.from(`${lines.join('\n')}\n`)], { objectMode: false }))
