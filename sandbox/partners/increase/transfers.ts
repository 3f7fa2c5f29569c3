/** Transfers that leave: made once for each key, shown, listed, approved and cancelled. */
import type Increase from 'increase'
import { hashOf } from '../../../services/idempotency.ts'
import type { PayoutStatus } from '../../../domain/partner.ts'
import {
  type TransferDocument,
  type TransferKind,
  type TransferOrder,
  type TransferRow,
  amendTransfer,
  findTransfer,
  listTransfers,
} from '../../db/increase/transfers.ts'
import { hasFault } from '../../db/faults.ts'
import { makePayout, movePayout } from '../../db/payouts.ts'
import { newId } from '../../../domain/ids.ts'
import { requireAccount } from './accounts.ts'
import { requireOpened } from './opened.ts'
import { type RowOf, showAch, traceNumber, waitsForApproval } from './views/ach.ts'
import {
  type Answer,
  type Desk,
  type Question,
  amountOf,
  invalidOperation,
  keyUsed,
  markReplayed,
  notFound,
  ok,
  pageOf,
  parse,
  valuesOf,
} from './answers.ts'
import { idOf, readId, uuidOfKey } from './ids.ts'
import { showFednow, showRealTime } from './views/instant.ts'
import { ORDERS } from './orders.ts'
import { showWire } from './views/wires.ts'

export type Transfer =
  | Increase.ACHTransfer
  | Increase.RealTimePaymentsTransfer
  | Increase.FednowTransfer
  | Increase.WireTransfer

export const isOf = <Kind extends TransferKind>(row: TransferRow, kind: Kind): row is TransferRow & RowOf<Kind> =>
  row.document.kind === kind

/** Shows a transfer in the words of its kind. */
export function showTransfer(row: TransferRow, desk: Desk): Transfer {
  if (isOf(row, 'ach_transfer')) return showAch(row, desk)
  if (isOf(row, 'real_time_payments_transfer')) return showRealTime(row, desk)
  if (isOf(row, 'fednow_transfer')) return showFednow(row, desk)
  if (isOf(row, 'wire_transfer')) return showWire(row, desk)
  throw new Error(`no transfer is of the kind ${row.document.kind}`)
}

/** Reads the order of a kind; accounts that it names are ours. */
async function readOrder(kind: TransferKind, { desk, body }: Question): Promise<TransferOrder> {
  const ordered = orderOf(kind, body)
  const { account_id: accountId, source_account_number_id: numberId } = ordered.order
  if (typeof accountId === 'string') requireAccount(desk, accountId)
  if (typeof numberId === 'string') await requireOpened(desk, 'account_number', numberId)
  return ordered
}

function orderOf(kind: TransferKind, body: unknown): TransferOrder {
  switch (kind) {
    case 'ach_transfer':
      return { kind, order: parse(ORDERS[kind], body) }
    case 'real_time_payments_transfer':
      return { kind, order: parse(ORDERS[kind], body) }
    case 'fednow_transfer':
      return { kind, order: parse(ORDERS[kind], body) }
    default:
      return { kind, order: parse(ORDERS[kind], body) }
  }
}

const AT_ONCE: ReadonlySet<TransferKind> = new Set(['real_time_payments_transfer', 'fednow_transfer'])

/** Makes a transfer, once for each key; a repeat answers it as it is now. */
export async function createTransfer(kind: TransferKind, question: Question): Promise<Answer> {
  const { desk, body, key } = question
  const ordered = await readOrder(kind, question)
  const { amount, require_approval: waits = false } = ordered.order
  const id = key === null ? newId() : uuidOfKey(key)
  const known = await findTransfer(desk.partner, id)
  const document: TransferDocument = { ...ordered, key }
  // a rejection comes at once; all else takes the usual steps
  const isRejected = AT_ONCE.has(kind) && (await hasFault(desk.partner, ['instant_rejected']))
  const made = await makePayout({
    id,
    partner: desk.partner,
    bodyHash: hashOf({ kind, body }),
    amount: { amount: amountOf(amount), currency: 'USD' },
    ownReference: traceNumber(id),
    address: null,
    payer: null,
    payee: null,
    document,
    waits,
    ...(isRejected && { speed: 'instant' }),
  })
  if (!made) throw keyUsed(idOf(known?.document.kind ?? kind, id))
  desk.changed()
  return markReplayed(ok(showTransfer(await requireRow(kind, desk, idOf(kind, id)), desk)), known !== undefined)
}

/** Finds the row of an id. Throws `object_not_found_error`. */
export async function requireRow(kind: TransferKind, desk: Desk, id: string): Promise<TransferRow> {
  const read = readId(kind, id)
  const row = read && read.mark === '' ? await findTransfer(desk.partner, read.uuid) : undefined
  if (row?.document.kind !== kind) throw notFound(id)
  return row
}

export const getTransfer = async (kind: TransferKind, { desk, id }: Question): Promise<Answer> =>
  ok(showTransfer(await requireRow(kind, desk, id), desk))

/** Lists transfers of a kind, newest first. */
export async function listOf(kind: TransferKind, { desk, query }: Question): Promise<Answer> {
  const [key, account, statuses] = [query.get('idempotency_key'), query.get('account_id'), valuesOf(query, 'status.in')]
  const rows = await byKey(kind, desk, key)
  return ok(
    await pageOf(query, rows ?? ((listing) => listTransfers(desk.partner, kind, listing)), {
      show: (row) => showTransfer(row, desk),
      leaves: (transfer) =>
        (account === null || transfer.account_id === account) &&
        (statuses === undefined || statuses.includes(transfer.status)) &&
        !query.has('external_account_id'),
    }),
  )
}

/** Lists the transfer of a key; undefined without a key. */
async function byKey(kind: TransferKind, { partner }: Desk, key: string | null) {
  if (key === null) return undefined
  const row = await findTransfer(partner, uuidOfKey(key))
  const rows = row?.document.kind === kind && row.document.key === key ? [row] : []
  return () => Promise.resolve(rows)
}

/** Approves a transfer that asked for it: it goes on as others do. */
export async function approveTransfer(kind: TransferKind, { desk, id }: Question): Promise<Answer> {
  const row = await requireRow(kind, desk, id)
  if (!waitsForApproval(row)) throw invalidOperation('The transfer is not pending approval.')
  await amendTransfer(desk.partner, row.id, { approved_at: new Date().toISOString() }, { starts: true })
  desk.changed()
  return getAgain(kind, desk, id)
}

/** Cancels a transfer that still waits for its approval. */
export async function cancelTransfer(kind: TransferKind, { desk, id }: Question): Promise<Answer> {
  const row = await requireRow(kind, desk, id)
  if (!waitsForApproval(row)) throw invalidOperation('The transfer is not pending approval.')
  return move(kind, desk, row, { from: ['pending'], to: 'cancelled' })
}

type Step = {
  readonly from: readonly PayoutStatus[]
  readonly to: PayoutStatus
  readonly document?: Partial<TransferDocument>
}

/** Moves a transfer at the network. Throws `invalid_operation_error` for one that is elsewhere. */
export async function move(kind: TransferKind, desk: Desk, row: TransferRow, step: Step): Promise<Answer> {
  const version = await movePayout(desk.partner, row.id, step)
  if (version === undefined) throw invalidOperation(`The transfer is ${showTransfer(row, desk).status}.`)
  desk.changed()
  return getAgain(kind, desk, idOf(kind, row.id))
}

/** Changes members of a transfer, not its place. */
export async function amend(
  kind: TransferKind,
  desk: Desk,
  row: TransferRow,
  document: Partial<TransferDocument>,
): Promise<Answer> {
  await amendTransfer(desk.partner, row.id, document)
  desk.changed()
  return getAgain(kind, desk, idOf(kind, row.id))
}

const getAgain = async (kind: TransferKind, desk: Desk, id: string): Promise<Answer> =>
  ok(showTransfer(await requireRow(kind, desk, id), desk))
