/** Transactions at the stand-in of Fireblocks: ordered, found, listed and cancelled. */
import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { isUuid } from '../../../domain/ids.ts'
import { cancelPayout, makePayout, movePayout } from '../../db/payouts.ts'
import {
  type TransactionDocument,
  type TransactionQuery,
  type TransactionRow,
  findIncoming,
  findOutgoing,
  listTransactions,
} from '../../db/fireblocks/transactions.ts'
import { findVault } from '../../db/fireblocks/vaults.ts'
import { transactionHash } from '../money.ts'
import { type Answer, invalid, ok, unknownAsset, unknownTransaction, unknownVault, usedExternalId } from './answers.ts'
import { type Asset, type Workspace, findAsset } from './assets.ts'
import { idInBooks, otherId } from './ids.ts'
import { assetOf, showState, toTransaction } from './words.ts'

/** Notes that the policy of the workspace blocks, as a payee on a sanctions list. */
const BLOCKED_NOTE = /refused at the door/i
const AMOUNT = /^\d{1,30}(?:\.\d{1,18})?$/

const NewTransaction = v.looseObject({
  operation: v.optional(v.literal('TRANSFER', 'only transfers are played'), 'TRANSFER'),
  externalTxId: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(255))),
  assetId: v.string(),
  amount: v.union([v.string(), v.number()]),
  source: v.looseObject({ type: v.literal('VAULT_ACCOUNT'), id: v.string() }),
  destination: v.variant('type', [
    v.looseObject({
      type: v.literal('ONE_TIME_ADDRESS'),
      oneTimeAddress: v.looseObject({ address: v.pipe(v.string(), v.minLength(1)), tag: v.optional(v.string()) }),
    }),
    v.looseObject({ type: v.literal('VAULT_ACCOUNT'), id: v.string() }),
  ]),
  note: v.optional(v.string()),
  customerRefId: v.optional(v.string()),
})
type NewTransaction = v.InferOutput<typeof NewTransaction>

/** Reads an order; answers it with its asset, or a refusal. */
async function readOrder(
  workspace: Workspace,
  body: unknown,
): Promise<{ readonly order: NewTransaction; readonly asset: Asset } | { readonly refused: Answer }> {
  const read = v.safeParse(NewTransaction, body)
  if (!read.success) {
    const [issue] = read.issues
    return { refused: invalid(`${v.getDotPath(issue) ?? 'body'}: ${issue.message}`) }
  }
  const { assetId, amount, source, destination } = read.output
  const asset = findAsset(workspace, assetId)
  if (!asset) return { refused: unknownAsset }
  const [, decimals = ''] = String(amount).split('.')
  const isAmount = AMOUNT.test(String(amount)) && Number(amount) > 0 && decimals.length <= asset.decimals
  if (!isAmount) return { refused: invalid('amount: invalid value') }
  const vaults = [source.id, ...(destination.type === 'VAULT_ACCOUNT' ? [destination.id] : [])]
  for (const id of vaults) {
    const known = /^\d{1,9}$/.test(id) && (await findVault(workspace.partner, workspace.main, Number(id)))
    if (!known) return { refused: unknownVault }
  }
  return { order: read.output, asset }
}

export async function createTransaction(workspace: Workspace, body: unknown): Promise<Answer> {
  const read = await readOrder(workspace, body)
  if ('refused' in read) return read.refused
  const { order, asset } = read
  const id = idInBooks(order.externalTxId)
  const blocked = BLOCKED_NOTE.test(order.note ?? '')
  const made = await makePayout({
    id,
    partner: workspace.partner,
    bodyHash: randomUUID(), // no second order of an id is the same
    amount: { amount: String(order.amount), currency: asset.coin },
    ownReference: transactionHash(id, asset.network),
    address: null,
    payer: null,
    payee: null,
    document: documentOf(order, asset, blocked),
    waits: blocked, // or it might be on its way before it is refused
  })
  if (!made) return usedExternalId
  if (blocked) await movePayout(workspace.partner, id, { from: ['pending'], to: 'rejected' })
  return ok({ id: otherId(id), status: 'SUBMITTED' })
}

const documentOf = (order: NewTransaction, asset: Asset, blocked: boolean): TransactionDocument => ({
  ...(order.externalTxId !== undefined && { externalTxId: order.externalTxId }),
  assetId: asset.id,
  sourceVault: Number(order.source.id),
  destination:
    order.destination.type === 'ONE_TIME_ADDRESS'
      ? { type: order.destination.type, ...order.destination.oneTimeAddress }
      : { type: order.destination.type, id: order.destination.id },
  ...(order.note !== undefined && { note: order.note }),
  ...(order.customerRefId !== undefined && { customerRefId: order.customerRefId }),
  fee: { amount: asset.fee, asset: asset.native, coin: asset.nativeCoin },
  ...(blocked && { blocked }),
})

/** Estimates the fees of an order, which change nothing. */
export async function estimateFee(workspace: Workspace, body: unknown): Promise<Answer> {
  const read = await readOrder(workspace, body)
  if ('refused' in read) return read.refused
  const fee = { networkFee: read.asset.fee }
  return ok({ low: fee, medium: fee, high: fee })
}

export async function getTransaction(workspace: Workspace, id: string): Promise<Answer> {
  const row = isUuid(id) ? await findById(workspace, id.toLowerCase()) : undefined
  return row ? ok(toTransaction(workspace, row)) : unknownTransaction
}

const findById = async (workspace: Workspace, id: string): Promise<TransactionRow | undefined> =>
  (await findIncoming(workspace.partner, workspace.assetsOf, id)) ?? findOutgoing(workspace.partner, otherId(id))

export async function getByExternalId(workspace: Workspace, externalTxId: string): Promise<Answer> {
  const row = await findOutgoing(workspace.partner, idInBooks(externalTxId))
  return row?.document?.externalTxId === externalTxId ? ok(toTransaction(workspace, row)) : unknownTransaction
}

/** Cancels a transaction that is not broadcast; it is asked of the signers, and done a moment later. */
export async function cancelTransaction(workspace: Workspace, id: string): Promise<Answer> {
  const booked = isUuid(id) ? otherId(id.toLowerCase()) : undefined
  const before = booked && (await findOutgoing(workspace.partner, booked))
  if (!booked || !before) return unknownTransaction
  const asset = assetOf(workspace, before)
  if (before.status !== 'pending' || !asset || showState(before, asset).status === 'BROADCASTING') return tooLate
  const after = await cancelPayout(workspace.partner, booked)
  return after?.status === 'cancelled' || after?.status === 'pending' ? ok({ success: true }) : tooLate
}

const tooLate = invalid('Transaction cannot be cancelled in its current status')

const [LIMIT, LIMIT_MAX] = [200, 500]
/** Members of a query that name the first page; the cursor of the next ones has them all. */
const Query = v.object({
  before: v.optional(v.pipe(v.string(), v.digits(), v.transform(Number))),
  after: v.optional(v.pipe(v.string(), v.digits(), v.transform(Number))),
  status: v.optional(v.string()),
  orderBy: v.optional(v.picklist(['createdAt', 'lastUpdated']), 'createdAt'),
  sort: v.optional(v.picklist(['ASC', 'DESC']), 'DESC'),
  limit: v.optional(v.pipe(v.string(), v.digits(), v.transform(Number), v.minValue(1), v.maxValue(LIMIT_MAX))),
  sourceType: v.optional(v.string()),
  sourceId: v.optional(v.string()),
  destType: v.optional(v.string()),
  destId: v.optional(v.string()),
  assets: v.optional(v.string()),
  txHash: v.optional(v.string()),
  pageCursor: v.optional(v.string()),
})
type Query = v.InferOutput<typeof Query>

/** Lists transactions; `next-page` is the address of the next page, there while one is full. */
export async function getTransactions(workspace: Workspace, query: URLSearchParams, here: URL): Promise<Answer> {
  const read = v.safeParse(Query, Object.fromEntries(query))
  if (!read.success) return invalid(`${v.getDotPath(read.issues[0]) ?? 'query'}: ${read.issues[0].message}`)
  const asked = read.output
  const limit = asked.limit ?? LIMIT
  const found = await collect(workspace, asked, limit)
  const last = found.length === limit ? found.at(-1) : undefined
  const body = found.map((row) => toTransaction(workspace, row))
  return ok(body, last && { 'next-page': nextPage(here, placeOf(asked, last)) })
}

const placeOf = ({ orderBy }: Query, row: TransactionRow): string =>
  orderBy === 'createdAt' ? row.made_place : row.updated_place

function nextPage(here: URL, place: string): string {
  const next = new URL(here)
  next.searchParams.set('pageCursor', Buffer.from(place).toString('base64url'))
  return next.href
}

/** Reads on until enough transactions pass the filters. */
async function collect(workspace: Workspace, asked: Query, limit: number): Promise<TransactionRow[]> {
  const found: TransactionRow[] = []
  let place = asked.pageCursor === undefined ? null : Buffer.from(asked.pageCursor, 'base64url').toString()
  for (;;) {
    const page = await listTransactions(workspace.partner, workspace.assetsOf, queryOf(asked, place))
    found.push(...page.filter((row) => passes(workspace, asked, row)))
    const last = page.at(-1)
    if (found.length >= limit || page.length < LIMIT_MAX || !last) return found.slice(0, limit)
    place = placeOf(asked, last)
  }
}

const queryOf = ({ orderBy, sort, after, before }: Query, place: string | null): TransactionQuery => ({
  by: orderBy === 'createdAt' ? 'made' : 'updated',
  descending: sort === 'DESC',
  afterMs: after ?? null,
  beforeMs: before ?? null,
  place,
  limit: LIMIT_MAX,
})

const Peers = v.object({
  status: v.string(),
  txHash: v.string(),
  assetId: v.string(),
  source: v.object({ type: v.string(), id: v.nullable(v.string()) }),
  destination: v.object({ type: v.string(), id: v.nullable(v.string()) }),
})

/** Tells whether a transaction passes the filters; coins that the workspace has not are left out. */
function passes(workspace: Workspace, asked: Query, row: TransactionRow): boolean {
  if (!assetOf(workspace, row)) return false
  const { status, txHash, assetId, source, destination } = v.parse(Peers, toTransaction(workspace, row))
  const wanted: readonly (readonly [string | undefined, string | null])[] = [
    [asked.status, status],
    [asked.txHash, txHash],
    [asked.sourceType, source.type],
    [asked.sourceId, source.id],
    [asked.destType, destination.type],
    [asked.destId, destination.id],
  ]
  const assets = asked.assets?.split(',')
  return wanted.every(([only, is]) => only === undefined || only === is) && (assets?.includes(assetId) ?? true)
}
