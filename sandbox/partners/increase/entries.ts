/** Transactions that are posted, and pending transactions that hold money for transfers. */
import type Increase from 'increase'
import { type TransferRow, findInbound, listTransfers, readTransfer } from '../../db/increase/transfers.ts'
import { type Entry, listEntries } from '../../db/increase/entries.ts'
import { holdsFor, instantOf, postingOf } from './views/ach.ts'
import { type Answer, type Desk, type Question, centsOf, notFound, ok, pageOf, timeOf, valuesOf } from './answers.ts'
import { BY_TIME } from './events.ts'
import { idOf, readId } from './ids.ts'
import { arrival, comeback, instruction, intention, wayBack } from './views/sources.ts'

type Source = Increase.Transaction.Source

export async function getTransaction({ desk, id }: Question): Promise<Answer> {
  const read = readId('transaction', id)
  const [entry] = read ? await listEntries(desk.partner, ALL, { id: read.uuid, mark: read.mark }) : []
  if (!entry) throw notFound(id)
  return ok(await showEntry(entry, desk))
}
const ALL = { before: null, from: null, to: null, limit: 1 }

/** Lists transactions, newest first. */
export async function listTransactions({ desk, query }: Question): Promise<Answer> {
  const [account, route, categories] = [query.get('account_id'), query.get('route_id'), valuesOf(query, 'category.in')]
  return ok(
    await pageOf(query, (listing) => listEntries(desk.partner, listing), {
      cursors: BY_TIME,
      show: (entry) => showEntry(entry, desk),
      leaves: (shown) =>
        (account === null || shown.account_id === account) &&
        (route === null || shown.route_id === route) &&
        (categories === undefined || categories.includes(shown.source.category)),
    }),
  )
}

/** Shows an entry with its source, which is read from the transfer. */
async function showEntry(entry: Entry, desk: Desk): Promise<Increase.Transaction> {
  const { id, mark, at, cents } = entry
  const [source, route] =
    mark === 'a' || mark === 'b' ? await arrivalSource(entry, desk) : await leavingSource(entry, desk)
  return {
    id: idOf('transaction', id, mark),
    account_id: desk.account,
    amount: cents,
    created_at: timeOf(at),
    currency: 'USD',
    description: DESCRIPTIONS[mark],
    route_id: route,
    route_type: route === null ? null : 'account_number',
    source,
    type: 'transaction',
  } satisfies Increase.Transaction
}
const DESCRIPTIONS = {
  i: 'Transfer to a payee',
  r: 'Return of a transfer',
  x: 'Rejection of a transfer',
  a: 'Transfer from a payer',
  b: 'Return to a payer',
} as const satisfies Readonly<Record<Entry['mark'], string>>

async function leavingSource({ id, mark }: Entry, desk: Desk): Promise<readonly [Source, string | null]> {
  const row = await readTransfer(desk.partner, id)
  if (!row) throw new Error('an entry has a transfer')
  return [mark === 'i' ? intention(row, desk) : comeback(row, mark), routeOf(row)]
}

/** Reads the account number that a transfer names as its source. */
function routeOf({ document }: TransferRow): string | null {
  const { source_account_number_id: route } = document.order
  return typeof route === 'string' ? route : null
}

async function arrivalSource({ id, mark }: Entry, desk: Desk): Promise<readonly [Source, string | null]> {
  const row = await findInbound(desk.partner, id)
  if (!row) throw new Error('an entry has a transfer')
  return [mark === 'a' ? arrival(row, desk) : wayBack(row), row.account_number_id]
}

export async function getPending({ desk, id }: Question): Promise<Answer> {
  const read = readId('pending_transaction', id)
  const row = read && read.mark === '' ? await readTransfer(desk.partner, read.uuid) : undefined
  if (!row || !holdsFor(row)) throw notFound(id)
  return ok(showPending(row, desk))
}

/** Lists pending transactions, newest first: also those that are complete. */
export async function listPending({ desk, query }: Question): Promise<Answer> {
  const [account, route] = [query.get('account_id'), query.get('route_id')]
  const [statuses, categories] = [valuesOf(query, 'status.in'), valuesOf(query, 'category.in')]
  return ok(
    await pageOf(query, (listing) => listTransfers(desk.partner, null, listing), {
      show: (row) => (holdsFor(row) ? showPending(row, desk) : null),
      leaves: (shown) =>
        shown !== null &&
        (account === null || shown.account_id === account) &&
        (route === null || shown.route_id === route) &&
        (statuses === undefined || statuses.includes(shown.status)) &&
        (categories === undefined || categories.includes(shown.source.category)),
    }),
  )
}

/** Shows what a transfer holds until it is posted, or is none. */
function showPending(row: TransferRow, desk: Desk): Increase.PendingTransaction {
  const cents = -centsOf(row.amount)
  const doneAt = instantOf(row, 'rejected', 'cancelled') ?? postingOf(row)
  const route = routeOf(row)
  return {
    id: idOf('pending_transaction', row.id),
    account_id: desk.account,
    amount: cents,
    completed_at: doneAt === undefined ? null : timeOf(doneAt),
    created_at: timeOf(row.made_at),
    currency: 'USD',
    description: 'Transfer to a payee',
    held_amount: cents,
    route_id: route,
    route_type: route === null ? null : 'account_number',
    source: instruction(row, desk),
    status: doneAt === undefined ? 'pending' : 'complete',
    type: 'pending_transaction',
  } satisfies Increase.PendingTransaction
}
