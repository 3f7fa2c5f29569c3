/** Intake of payment files: each is checked, its transfers become payouts, and reports say so. */
import { createHash } from 'node:crypto'
import { readFile, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Transaction, transaction } from '../../../db/postgres/sql.ts'
import { takeFault } from '../../db/faults.ts'
import {
  isKnownMessage,
  isLeft,
  listKnown,
  lockBank,
  makeTransfers,
  noteRemoved,
  noteTaken,
} from '../../db/file-bank.ts'
import { endInstantly } from '../../db/payouts.ts'
import { type FileBank, give, newMessageId, referenceOf } from './bank.ts'
import { type CheckedTransfer, checkOrders, idOf } from './checks.ts'
import { type OrderFile, UnreadableOrders, readOrders } from './orders.ts'
import { type Report, writeReport } from './reports.ts'

/** Name of a complete file: those under other names are being written. */
const COMPLETE = /^[^.].*\.xml$/i

/** Takes all complete files; answers how many. None while the bank is away. */
export async function takeFiles(bank: FileBank): Promise<number> {
  const names = (await readdir(bank.upload)).filter((name) => COMPLETE.test(name)).toSorted()
  if (names.length === 0 || (await takeFault(bank.name, ['down', 'error', 'rate_limited']))) return 0
  for (const name of names) await takeFile(bank, name)
  return names.length
}

/** Takes a file. It is removed after the commit; one that was left by a server that died is only removed. */
async function takeFile(bank: FileBank, name: string): Promise<void> {
  const path = join(bank.upload, name)
  const bytes = await readFile(path).catch(() => null)
  if (bytes === null) return // another server has taken it
  const hash = createHash('sha256').update(bytes).digest('hex')
  await transaction(async (tx) => {
    await lockBank(tx, bank.name)
    if (await isLeft(tx, bank.name, { name, hash })) return
    const orders = ordersIn(bytes)
    const messageId = orders?.messageId ?? null
    const isKnown = messageId !== null && (await isKnownMessage(tx, bank.name, messageId))
    await noteTaken(tx, bank.name, { name, hash, messageId })
    if (orders === null) return report(tx, bank, { about: 'NOTPROVIDED', status: 'RJCT', reason: 'FF01' })
    if (isKnown) return report(tx, bank, { about: orders.messageId, status: 'RJCT', reason: 'DU01' })
    await takeOrders(tx, bank, orders)
  })
  await rm(path, { force: true })
  await noteRemoved(bank.name, name)
}

function ordersIn(bytes: Uint8Array): OrderFile | null {
  try {
    return readOrders(bytes)
  } catch (error) {
    if (error instanceof UnreadableOrders || error instanceof TypeError) return null // no XML, or no UTF-8
    throw error
  }
}

async function takeOrders(tx: Transaction, bank: FileBank, orders: OrderFile): Promise<void> {
  const { messageId: about } = orders
  const ids = orders.batches.flatMap(({ transfers }) => transfers.map(({ endToEndId }) => idOf(endToEndId)))
  const verdict = checkOrders(orders, bank.accounts, await listKnown(tx, bank.name, ids))
  if ('reason' in verdict) return report(tx, bank, { about, status: 'RJCT', reason: verdict.reason })
  const { transfers } = verdict
  await makeTransfers(
    tx,
    bank.name,
    transfers.filter(({ reason }) => reason !== 'AM05').map((one) => payoutOf(about, one)),
  )
  for (const { batch, id, reason } of transfers)
    if (batch.isInstant && reason === null) await endInstantly(tx, bank.name, id)
  if (await takeFault(bank.name, ['ambiguous'], tx)) return
  const refused = transfers.filter(({ reason }) => reason !== null)
  const status = refused.length === 0 ? 'ACCP' : refused.length === transfers.length ? 'RJCT' : 'PART'
  await report(tx, bank, { about, status: 'RCVD' })
  await report(tx, bank, {
    about,
    status,
    transfers: status === 'ACCP' ? [] : transfers.map(lineOf),
  })
}

const payoutOf = (messageId: string, { id, batch, reason, transfer }: CheckedTransfer) => ({
  id,
  hash: createHash('sha256').update(JSON.stringify(transfer)).digest('hex'),
  amount: transfer.amount,
  currency: transfer.currency,
  status: reason === null ? ('pending' as const) : ('rejected' as const),
  detail: reason ?? 'accepted by the bank',
  reference: referenceOf('SB', id),
  document: {
    reported: reason === null ? ('pending' as const) : ('rejected' as const),
    messageId,
    batch: batch.id,
    isBatchBooked: batch.isBooked,
    iban: batch.account,
    endToEndId: transfer.endToEndId,
    instructionId: transfer.instructionId,
    creditor: transfer.creditor,
    creditorAccount: transfer.creditorAccount,
    remittance: transfer.remittance,
  },
})

const lineOf = ({ batch, reason, transfer }: CheckedTransfer): Report['transfers'][number] => ({
  batch: batch.id,
  endToEndId: transfer.endToEndId,
  instructionId: transfer.instructionId,
  amount: transfer.amount,
  currency: transfer.currency,
  creditor: transfer.creditor,
  status: reason === null ? 'ACCP' : 'RJCT',
  reason,
})

/** Gives a report about a message. */
export async function report(
  tx: Transaction,
  bank: FileBank,
  { about, reason = null, status, transfers = [] }: Pick<Report, 'about' | 'status'> & Partial<Report>,
): Promise<void> {
  const id = newMessageId()
  const content = writeReport({
    id,
    at: new Date().toISOString(),
    bic: bank.accounts[0]?.bic ?? '',
    about,
    status,
    reason,
    transfers,
  })
  const refuses = status === 'RJCT' || transfers.some((one) => one.status === 'RJCT')
  await give(tx, bank, { name: `pain.002_${id}.xml`, content, canBeLost: !refuses })
}
