/** Statements and notifications of accounts (camt.053, camt.054), without their entries. */
import type { AccountReport, Balance, BankEntry } from '../../domain/bank-files/messages.ts'
import { isBankCurrency } from '../../domain/destinations/bank-requirements.ts'
import { fromMinor, toMinor } from '../../domain/money/money.ts'
import type { Element } from '../xml/element.ts'
import {
  type Direction,
  booleanAt,
  childrenOf,
  countAt,
  dayAt,
  decimalAt,
  elementAt,
  misread,
  needDirection,
  needInstant,
  needMoney,
  needText,
  textAt,
} from './elements.ts'
import { accountAt, contradictionsOf } from './entries.ts'

type Report = Omit<AccountReport, 'messageId' | 'createdAt'> & { readonly createdAt: string | null }

/** Reads a report. Its header, which stands before it, is not in it. */
export function readReport(report: Element, kind: AccountReport['kind'], entries: readonly BankEntry[]): Report {
  const currency = textAt(report, 'Acct/Ccy')
  if (currency !== null && !isBankCurrency(currency)) misread('Acct/Ccy', 'is a currency that is not known.')
  const balances = kind === 'statement' ? balancesOf(report) : { opening: null, closing: null }
  const page = pageOf(report, kind === 'statement' ? 'StmtPgntn' : 'NtfctnPgntn')
  const isWhole = page === null || (page.number === 1 && page.isLast)
  return {
    kind,
    id: needText(report, 'Id'),
    createdAt: elementAt(report, 'CreDtTm') && needInstant(report, 'CreDtTm'),
    account: accountAt(report, 'Acct') ?? misread('Acct/Id', 'is missing.'),
    currency,
    number: textAt(report, 'ElctrncSeqNb'),
    page,
    ...balances,
    entries,
    contradictions: [
      ...entries.flatMap((entry, at) => faultsOf(entry, currency).map((path) => `Ntry[${at + 1}]/${path}`)),
      ...(isWhole ? [...faultsOfBalances(balances, entries), ...faultsOfSummary(report, entries)] : []),
    ],
  }
}

const faultsOf = (entry: BankEntry, currency: string | null): string[] => [
  ...(currency === null || entry.amount.currency === currency ? [] : ['Amt']),
  ...contradictionsOf(entry),
]

function pageOf(report: Element, path: string): AccountReport['page'] {
  const number = countAt(report, `${path}/PgNb`)
  const isLast = elementAt(report, path) && booleanAt(report, `${path}/LastPgInd`)
  return number === null || isLast === null ? null : { number, isLast }
}

type Balances = Pick<AccountReport, 'opening' | 'closing'>

/**
 * Reads the booked balances; those of other kinds say what will be. `PRCD`, the closing balance before, opens, too. `ITBD`
 * stands between pages, and in a statement of a day that is not over: two are opening and closing, in this order.
 */
function balancesOf(report: Element): Balances {
  const all = childrenOf(report, 'Bal').map((one) => ({ code: textAt(one, 'Tp/CdOrPrtry/Cd'), one }))
  const only = (code: string): Balance | null => {
    const found = all.filter((balance) => balance.code === code).map(({ one }) => balanceOf(one))
    const [first = null, ...others] = found
    if (others.some((other) => other.amount.amount !== first?.amount.amount || other.day !== first.day))
      misread('Bal', `is there more than once with ${code}.`)
    return first
  }
  const opening = only('OPBD') ?? only('PRCD')
  const closing = only('CLBD')
  const between = all.flatMap(({ code, one }) => (code === 'ITBD' ? [balanceOf(one)] : []))
  if (between.length > 2) misread('Bal', 'is there more than twice with ITBD.')
  const [first = null, second = null] = between
  return {
    opening: opening ?? (second || closing ? first : null),
    closing: closing ?? second ?? (opening ? first : null),
  }
}

function balanceOf(balance: Element): Balance {
  const [money, direction] = [needMoney(balance, 'Amt'), needDirection(balance, 'CdtDbtInd')]
  const minor = toMinor(money)
  const day = dayAt(balance, 'Dt') ?? misread('Bal/Dt', 'is missing.')
  return { amount: fromMinor(direction === 'credit' ? minor : -minor, money.currency), day }
}

const totalOf = (entries: readonly BankEntry[], direction?: Direction): bigint =>
  entries.reduce((sum, entry) => sum + (direction && entry.direction !== direction ? 0n : toMinor(entry.amount)), 0n)

/** Compares the booked entries with what lies between the opening and the closing balance. */
function faultsOfBalances({ opening, closing }: Balances, entries: readonly BankEntry[]): string[] {
  if (!opening || !closing) return []
  const booked = entries.filter(({ status }) => status === 'booked')
  const { currency } = opening.amount
  const isOne = [closing.amount, ...booked.map(({ amount }) => amount)].every((money) => money.currency === currency)
  const moved = totalOf(booked, 'credit') - totalOf(booked, 'debit')
  return isOne && toMinor(opening.amount) + moved === toMinor(closing.amount) ? [] : ['Bal']
}

/** Compares the summary of a report, which has no currency of its own, with its entries. */
function faultsOfSummary(report: Element, entries: readonly BankEntry[]): string[] {
  const summary = elementAt(report, 'TxsSummry')
  const parts: [name: string, direction?: Direction][] = [
    ['TtlNtries'],
    ['TtlCdtNtries', 'credit'],
    ['TtlDbtNtries', 'debit'],
  ]
  const currencies = new Set(entries.map(({ amount }) => amount.currency))
  const [currency] = currencies
  return parts.flatMap(([name, direction]) => {
    const count = countAt(summary, `${name}/NbOfNtries`)
    const entriesOf = entries.filter((entry) => !direction || entry.direction === direction)
    const sum = textAt(summary, `${name}/Sum`)
    const total = fromMinorOf(totalOf(entries, direction), currency)
    return [
      ...(count === null || count === entriesOf.length ? [] : [`TxsSummry/${name}/NbOfNtries`]),
      ...(sum === null || total === null || currencies.size > 1 || isSame(sum, total) ? [] : [`TxsSummry/${name}/Sum`]),
    ]
  })
}

const fromMinorOf = (minor: bigint, currency: string | undefined) =>
  currency === undefined ? null : fromMinor(minor, currency)

const isSame = (sum: string, { amount, currency }: { amount: string; currency: string }): boolean =>
  decimalAt(sum, currency, 'TxsSummry/Sum') === amount
