/** Signed proofs of funds: one for each currency and day, of one snapshot of all books. */
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { canonicalJson } from '../../domain/canonical.ts'
import type { FundsProof } from '../../domain/funds/proof.ts'
import { type FileId, type OrganizationId, newId } from '../../domain/ids.ts'
import { formatAmount, toMinor } from '../../domain/money/money.ts'
import { now } from '../../platform/clock.ts'
import { keyOf, put } from '../../platform/storage/storage.ts'
import { type Reader, type Transaction, inSnapshot, rowsOf, sql, transaction } from '../../db/postgres/sql.ts'
import { signStatement } from '../events/heads.ts'
import {
  type AccountSum,
  type Comparison,
  type ProvedConnection,
  amountsOf,
  compareAll,
  connectionOfKind,
  readAccounts,
  storeComparisons,
  sumOf,
} from './comparison.ts'
import { findLeaf, sha256, storeLeaves, treeOf } from './leaves.ts'

const PROOFS_FOLDER = 'proofs-of-funds' as FileId // no file has such an id, so it is never purged
/** Proofs in one object of storage. */
const STORED_AT_ONCE = 1000

export type ProofResult = {
  readonly comparisons: readonly Comparison[]
  /** Currencies of which a proof was signed. */
  readonly signed: readonly string[]
  /** Currencies whose books do not sum to zero: nothing is signed of them. */
  readonly unbalanced: readonly string[]
}

/**
 * Compares all connections with the books, and signs a proof of today. All of it is of one snapshot. A currency gets one
 * proof a day, if every balance in it is equal or not known. A crash leaves nothing.
 */
export const proveFunds = (connections: readonly ProvedConnection[]): Promise<ProofResult> =>
  transaction(async (tx) => {
    await tx`set transaction isolation level repeatable read`
    const accounts = await readAccounts(rowsOf(tx))
    const comparisons = await compareAll(tx, connections, accounts)
    await storeComparisons(tx, comparisons)
    const [today] = await tx<{ day: string; as_of: string }[]>`
      select (business_now() at time zone 'UTC')::date as day, business_now() as as_of`
    if (!today) throw new Error('the clock answered nothing')
    const done = await tx<{ currency: string }[]>`select currency from funds_proofs where day = ${today.day}`
    const currencies = [...new Set(accounts.map((one) => one.currency))]
    const unbalanced = currencies.filter((currency) => !isBalanced(currency, accounts))
    const signed: string[] = []
    for (const currency of currencies) {
      if (unbalanced.includes(currency) || done.some((one) => one.currency === currency)) continue
      const of = comparisons.filter((one) => one.currency === currency)
      if (of.some(({ outcome }) => outcome === 'differs' || outcome === 'not_asked')) continue
      await signProof(tx, { ...today, currency }, of, accounts)
      signed.push(currency)
    }
    return { comparisons, signed, unbalanced }
  })

function isBalanced(currency: string, accounts: readonly AccountSum[]): boolean {
  const amounts = accounts.filter((one) => one.currency === currency).map(({ amount }) => amount)
  return toMinor({ amount: sumOf(currency, amounts), currency }) === 0n
}

type Place = { readonly day: string; readonly as_of: string; readonly currency: string }

async function signProof(
  tx: Transaction,
  { currency, day, as_of }: Place,
  comparisons: readonly Comparison[],
  accounts: readonly AccountSum[],
): Promise<void> {
  const [proofId, seed] = [newId<'funds_proof'>(), randomBytes(32)]
  const [last] = await tx<{ statement: string }[]>`
    select statement from funds_proofs where currency = ${currency} order by day desc limit 1`
  const previous = last ? sha256(last.statement) : null
  await tx`delete from funds_leaves where proof_id in (select p.id from funds_proofs p where p.currency = ${currency})`
  const { root, leaves } = await storeLeaves(tx, { proofId, currency, seed })
  const of = accounts.filter((one) => one.currency === currency)
  const sum = treeOf(currency).write(root.sum)
  const customers = of.filter(({ kind }) => kind === 'customers').map(({ amount }) => amount)
  if (sum !== sumOf(currency, customers)) throw new Error(`the leaves of ${currency} are not what the books have`)
  const others = of.filter(({ kind }) => kind !== 'customers' && connectionOfKind(kind) === null)
  const { key_id, statement, signature } = signStatement((keyId) => ({
    accounts: Object.fromEntries(others.map(({ kind, amount }) => [kind, formatAmount(amount, currency)])),
    as_of,
    connections: comparisons.map(statementOf),
    currency,
    customers: { leaves, root: root.hash, sum },
    day,
    key_id: keyId,
    previous,
  }))
  await tx`
    insert into funds_proofs (id, day, currency, previous, statement, key_id, signature, seed)
    values (${proofId}, ${day}, ${currency}, decode(${previous}, 'hex'), ${statement}, ${key_id},
      decode(${signature}, 'base64'), ${seed})`
}

/** States a connection; items by their sum, number and hash, since they are of organizations. */
const statementOf = ({ connection, currency, outcome, clearing, balance, as_of, items }: Comparison) => ({
  as_of,
  balance,
  clearing,
  connection,
  in_flight: sumOf(currency, amountsOf(items)),
  items: items.length,
  items_sha256: sha256(canonicalJson([...items])),
  outcome,
})

type UnstoredProof = {
  readonly id: string
  readonly key_id: string
  readonly statement: string
  readonly signature: Buffer
}

/** Puts signed proofs into storage, each line a proof as JSON. At least once. */
export async function storeProofs(): Promise<void> {
  const proofs = await sql<UnstoredProof[]>`
    select id, key_id, statement, signature from funds_proofs where stored_as is null order by id limit ${STORED_AT_ONCE}`
  if (proofs.length === 0) return
  const lines = proofs.map(({ key_id, statement, signature }) =>
    JSON.stringify({ key_id, statement, signature: signature.toString('base64') }),
  )
  const key = keyOf(PROOFS_FOLDER, `${now().toISOString().slice(0, 10)}-${newId()}`)
  await put(key, Readable.from([Buffer.from(`${lines.join('\n')}\n`)], { objectMode: false }))
  await sql`update funds_proofs set stored_as = ${key} where id = any (${proofs.map(({ id }) => id)}::uuid[])`
}

type HeadRow = { readonly id: string; readonly key_id: string; readonly statement: string; readonly signature: string }
type ProofRow = { readonly currency: string } & (
  | (HeadRow & { readonly seed: Buffer })
  | Readonly<Record<keyof HeadRow | 'seed', null>>
)

/** Reads the last proof of each currency of an organization, and its part of it: the next one may be made meanwhile. */
export const lastProofs = (id: OrganizationId): Promise<FundsProof[]> => inSnapshot(id, readProofs)

async function readProofs(reader: Reader): Promise<FundsProof[]> {
  const rows = await reader<ProofRow>(sql`
    select a.currency, p.id, p.key_id, p.statement, replace(encode(p.signature, 'base64'), E'\\n', '') as signature, p.seed
    from ledger_accounts a left join lateral (
      select * from funds_proofs f where f.currency = a.currency order by f.day desc limit 1) p on true
    where a.organization_id = ${reader.organizationId} and a.kind = 'available' order by a.currency`)
  return Promise.all(
    rows.map(async ({ currency, id, key_id, statement, signature, seed }) => {
      const found = id === null ? null : await findLeaf(reader, { proofId: id, currency, seed })
      return { currency, key_id, statement, signature, leaf: found?.leaf ?? null, path: found?.path ?? [] }
    }),
  )
}
