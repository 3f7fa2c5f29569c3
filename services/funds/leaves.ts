/** Leaves of a proof of funds, in blocks: built from one cursor, and read again for the path of one organization. */
import { createHash, createHmac } from 'node:crypto'
import { canonicalJson } from '../../domain/canonical.ts'
import { type FundsLeaf, type Sibling, type SumNode, type SumTree, sumTree } from '../../domain/funds/sum-tree.ts'
import type { OrganizationId } from '../../domain/ids.ts'
import { decimalsOf, formatAmount, toMinor } from '../../domain/money/money.ts'
import { type Reader, type Transaction, first, sql } from '../../db/postgres/sql.ts'

/** Leaves of a block, a whole subtree of eight levels: what is in memory at once, whatever the number of leaves. */
const BLOCK = 256
const BLOCKS_AT_ONCE = 16

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
export const treeOf = (currency: string): SumTree => sumTree(decimalsOf(currency), sha256)

type LeafRow = { readonly organization_id: string; readonly available: string; readonly held: string }
type KeyedRow = LeafRow & { readonly key: Buffer }

/** Makes the leaf of an organization, and its node. Throws for a balance below zero: it would hide a hole. */
function leafOf(tree: SumTree, currency: string, seed: Uint8Array, row: LeafRow): { leaf: FundsLeaf; node: SumNode } {
  const { organization_id } = row
  const [available, held] = [formatAmount(row.available, currency), formatAmount(row.held, currency)]
  const [free, aside] = [toMinor({ amount: available, currency }), toMinor({ amount: held, currency })]
  if (free < 0n || aside < 0n) throw new Error(`organization ${organization_id} has less than nothing`)
  // only with the seed could balances be tried out against the hash
  const nonce = createHmac('sha256', seed).update(organization_id).digest('hex').slice(0, 32)
  const leaf = { organization_id, currency, nonce, available, held }
  return { leaf, node: tree.leaf(leaf, free + aside) }
}

type Leaves = { readonly proofId: string; readonly currency: string; readonly seed: Uint8Array }

/**
 * Stores what all organizations have in a currency, block by block. Answers the root and the number of leaves, whose
 * order the seed makes.
 */
export async function storeLeaves(
  tx: Transaction,
  { proofId, currency, seed }: Leaves,
): Promise<{ root: SumNode; leaves: number }> {
  const tree = treeOf(currency)
  const roots: SumNode[] = []
  let leaves = 0
  await tx`declare leaves cursor for select key, organization_id, available, held from funds_leaves_of(${currency}, ${seed})`
  for (;;) {
    const rows = await tx.unsafe<KeyedRow[]>(`fetch ${BLOCK * BLOCKS_AT_ONCE} from leaves`)
    const blocks: object[] = []
    for (let at = 0; at < rows.length; at += BLOCK) {
      const block = rows.slice(at, at + BLOCK)
      const nodes = block.map((row) => leafOf(tree, currency, seed, row).node)
      const { hash, sum } = tree.rootOf(nodes)
      const stored = block.map(({ available, held }, index) => [nodes[index]?.hash, available, held])
      blocks.push({ block: roots.length, first_key: block[0]?.key.toString('hex'), hash, sum: tree.write(sum), leaves: stored }) // prettier-ignore
      roots.push({ hash, sum })
    }
    await tx`
      insert into funds_leaves (proof_id, block, first_key, hash, sum, leaves)
      select ${proofId}, b.block, decode(b.first_key, 'hex'), b.hash, b.sum, b.leaves
      from jsonb_to_recordset(${tx.json(blocks as never)})
        b (block integer, first_key text, hash text, sum numeric, leaves jsonb)`
    leaves += rows.length
    if (rows.length < BLOCK * BLOCKS_AT_ONCE) break
  }
  await tx`close leaves`
  return { root: tree.rootOf(roots), leaves }
}

type BlockRow = { readonly block: number; readonly leaves: readonly (readonly [string, string, string])[] }

/** Finds the leaf of the reader's organization, and its way to the root; null if the proof has none of it. */
export async function findLeaf(
  reader: Reader,
  { proofId, currency, seed }: Leaves,
): Promise<{ leaf: string; path: Sibling[] } | null> {
  const found = await first(
    reader<BlockRow>(sql`
      select block, leaves from funds_leaves
      where proof_id = ${proofId} and first_key <= sha256(${seed}::bytea || uuid_send(${reader.organizationId}::uuid))
      order by first_key desc limit 1`),
  )
  if (!found) return null
  const tree = treeOf(currency)
  const at = found.leaves.findIndex(([hash, available, held]) => {
    const row = { organization_id: reader.organizationId, available, held }
    return leafOf(tree, currency, seed, row).node.hash === hash
  })
  const own = found.leaves[at]
  if (!own) return null
  const nodes = found.leaves.map(([hash, available, held]) => ({ hash, sum: unitsOf(currency, available, held) }))
  const roots = await reader<{ hash: string; sum: string }>(sql`
    select hash, sum from funds_leaves where proof_id = ${proofId} order by block`)
  const upper = roots.map(({ hash, sum }) => ({ hash, sum: toMinor({ amount: sum, currency }) }))
  const { leaf } = leafOf(tree, currency, seed, ownRow(reader.organizationId, own))
  return { leaf: canonicalJson(leaf), path: [...tree.pathOf(nodes, at), ...tree.pathOf(upper, found.block)] }
}

const ownRow = (id: OrganizationId, [, available, held]: readonly [string, string, string]): LeafRow => ({
  organization_id: id,
  available,
  held,
})

const unitsOf = (currency: string, ...amounts: readonly string[]): bigint =>
  amounts.reduce((sum, amount) => sum + toMinor({ amount, currency }), 0n)
