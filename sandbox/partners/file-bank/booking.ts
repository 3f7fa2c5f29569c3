/** Booking of what changed: payouts that are paid or come back, money that arrives. Reports and notifications say so. */
import { addDecimals, compareDecimals } from '../../../domain/money/decimal.ts'
import { type Transaction, transaction } from '../../../db/postgres/sql.ts'
import { isValidIBAN } from 'ibantools'
import { now } from '../../../platform/clock.ts'
import {
  type ArrivedDeposit,
  type ChangedTransfer,
  hasChanges,
  listChanged,
  listOpenBatches,
  lockBank,
  noteReported,
  takeArrived,
} from '../../db/file-bank.ts'
import { bookEntries } from '../../db/file-bank-entries.ts'
import { isUsualDetail } from '../../db/payouts.ts'
import { type Entry, type Part, writeNotification } from './accounts.ts'
import { type FileBank, give, groupBy, newMessageId, referenceOf } from './bank.ts'
import { CODES, splitReason } from './reports.ts'
import { report } from './taking.ts'

/** Books and reports all that changed; false if nothing did. */
export async function bookChanges(bank: FileBank): Promise<boolean> {
  if (!(await hasChanges(bank.name))) return false
  return transaction(async (tx) => {
    const { booksSums, day } = await lockBank(tx, bank.name)
    const waiting = booksSums ? await listOpenBatches(tx, bank.name) : new Set<string>()
    const changed = (await listChanged(tx, bank.name)).filter(
      (one) => !(one.status === 'settled' && one.document.isBatchBooked && waiting.has(batchOf(one))),
    )
    await reportStatuses(tx, bank, changed)
    const deposits = await takeArrived(tx, bank.name)
    const entries = [
      ...debitsOf(changed.filter(isNewlyPaid), day, booksSums),
      ...changed.filter(({ status }) => status === 'returned').map((one) => returnOf(one, day)),
      ...changed.flatMap((one) => chargeOf(bank, one, day)),
      ...deposits.flatMap((one) => creditOf(bank, one, day)),
    ]
    if (changed.length > 0) await noteReported(tx, bank.name, changed)
    if (entries.length > 0) await bookEntries(tx, bank.name, entries)
    await notify(tx, bank, entries)
    return changed.length + deposits.length > 0
  })
}

const batchOf = ({ document: { batch, messageId } }: ChangedTransfer): string => `${messageId}/${batch}`

const isNewlyPaid = ({ document, status }: ChangedTransfer): boolean =>
  status === 'settled' || (status === 'returned' && document.reported !== 'settled')

/** Reports statuses that no entry tells, by message. */
async function reportStatuses(tx: Transaction, bank: FileBank, changed: readonly ChangedTransfer[]): Promise<void> {
  const told = changed.filter(({ status }) => CODES[status] !== undefined)
  for (const about of new Set(told.map(({ document }) => document.messageId))) {
    const transfers = told
      .filter(({ document }) => document.messageId === about)
      .map(({ amount, currency, detail, document, status }) => ({
        batch: document.batch,
        endToEndId: document.endToEndId,
        instructionId: document.instructionId,
        amount,
        currency,
        creditor: document.creditor,
        status: CODES[status] ?? '',
        reason: isUsualDetail(status, detail) ? null : detail,
      }))
    await report(tx, bank, { about, status: null, transfers })
  }
}

/** Books payouts that are paid: each by itself, or those of a batch as one. */
function debitsOf(paid: readonly ChangedTransfer[], day: string, booksSums: boolean): Entry[] {
  const alone = paid.filter(({ document }) => !document.isBatchBooked)
  const batched = paid.filter(({ document }) => document.isBatchBooked)
  return [
    ...alone.map((one) => debitOf([one], day, false)),
    ...[...groupBy(batched, batchOf).values()].map((all) => debitOf(all, day, booksSums)),
  ]
}

function debitOf(paid: readonly ChangedTransfer[], day: string, isSum: boolean): Entry {
  const [first] = paid
  if (!first) throw new Error('an entry has a payout')
  const { iban, isBatchBooked, messageId, batch } = first.document
  const totals = paid.map((one) => withDecimals(addDecimals([one.amount, ownCharges(one)?.amount ?? '0']), one.amount))
  return {
    reference: isBatchBooked ? referenceOf('BB', paid.map(({ id }) => id).join()) : first.own_reference,
    iban,
    currency: first.currency,
    amount: `-${withDecimals(addDecimals(totals), first.amount)}`,
    bookedOn: day,
    document: {
      code: 'PMNT/ICDT/ESCT',
      ...(isBatchBooked && { batch: { messageId, id: batch, count: paid.length } }),
      parts:
        isSum && isBatchBooked
          ? []
          : paid.map((one, at) => ({ ...partOf(one), amount: totals[at] ?? one.amount, charges: ownCharges(one) })),
    },
  }
}

/** Writes a sum with the decimals of one of its amounts. */
function withDecimals(sum: string, like: string): string {
  const decimals = like.split('.')[1]?.length ?? 0
  const [whole = '', given = ''] = sum.split('.')
  return decimals === 0 ? whole : `${whole}.${given.padEnd(decimals, '0')}`
}

/** Charges beside a payout that is paid, of its own currency: its entry has them. */
const ownCharges = ({ charges, currency, status }: ChangedTransfer) =>
  status === 'settled' && charges?.currency === currency ? charges : null

const partOf = ({ amount, document, own_reference: reference }: ChangedTransfer): Part => ({
  reference,
  amount,
  endToEndId: document.endToEndId,
  messageId: document.messageId,
  batch: document.batch,
  party: { name: document.creditor, account: document.creditorAccount },
  remittance: document.remittance,
})

/** Books what came back of a payout, less what was kept. */
function returnOf(one: ChangedTransfer, day: string): Entry {
  const { amount, currency, detail, id, returned } = one
  const back = returned?.currency === currency ? returned.amount : amount
  const kept = addDecimals([amount, `-${back}`])
  const reference = referenceOf('RT', id)
  const { code, words } = isUsualDetail('returned', detail) ? splitReason('AC04') : splitReason(detail)
  return {
    reference,
    iban: one.document.iban,
    currency,
    amount: back,
    bookedOn: day,
    document: {
      code: 'PMNT/RCDT/RRTN',
      parts: [
        {
          ...partOf(one),
          reference,
          amount: back,
          charges: compareDecimals(kept, '0') > 0 ? { amount: withDecimals(kept, amount), currency } : null,
          returned: { code, words, original: amount },
        },
      ],
    },
  }
}

/** Books charges that no other entry has: beside an end, beyond what a return kept, or of another currency. */
function chargeOf(bank: FileBank, one: ChangedTransfer, day: string): Entry[] {
  const { amount, charges, currency, id, returned, status } = one
  if (!charges || !['settled', 'rejected', 'cancelled', 'returned'].includes(status) || ownCharges(one)) return []
  const kept =
    status === 'returned' && charges.currency === currency
      ? addDecimals([amount, `-${returned?.amount ?? amount}`])
      : '0'
  const beyond = addDecimals([charges.amount, `-${kept}`])
  const account = bank.accounts.find((each) => each.currency === charges.currency)
  if (!account || compareDecimals(beyond, '0') <= 0) return []
  const reference = referenceOf('CH', `${id}:${status}`)
  const total = withDecimals(beyond, charges.amount)
  return [
    {
      reference,
      iban: account.iban,
      currency: charges.currency,
      amount: `-${total}`,
      bookedOn: day,
      document: { code: 'PMNT/ICDT/CHRG', parts: [{ ...partOf(one), reference, amount: total }] },
    },
  ]
}

/** Books money that arrived; none in a currency without an account. */
function creditOf(
  bank: FileBank,
  { account, amount, currency, reference, sender }: ArrivedDeposit,
  day: string,
): Entry[] {
  const own = bank.accounts.find((each) => each.currency === currency)
  if (!own) return []
  const isAccount = isValidIBAN(account)
  const part = {
    reference,
    amount,
    party: { name: sender.name, account: sender.account_reference, country: sender.country },
    remittance: sender.reference,
    creditorAccount: isAccount ? account : own.iban,
    creditorReference: isAccount ? null : account.replaceAll('-', '').slice(0, 35),
  }
  const document = { code: 'PMNT/RCDT/ESCT', parts: [part] }
  return [{ reference, iban: own.iban, currency, amount, bookedOn: day, document }]
}

/** Writes notifications of entries: one file for each account. */
async function notify(tx: Transaction, bank: FileBank, entries: readonly Entry[]): Promise<void> {
  for (const [iban, ofAccount] of groupBy(entries, (one) => one.iban)) {
    const account = bank.accounts.find((each) => each.iban === iban)
    if (!account) continue
    const id = newMessageId()
    const content = writeNotification({ id, at: now().toISOString(), account }, ofAccount)
    await give(tx, bank, { name: `camt.054_${id}.xml`, content, canBeLost: true })
  }
}
