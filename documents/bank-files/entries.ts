/** Entries of accounts and their transactions (camt.053, camt.054), of versions 2 to 8. */
import type { BankEntry, Charge, EntryPart } from '../../domain/bank-files/messages.ts'
import { type Money, isZero, toMinor } from '../../domain/money/money.ts'
import type { Element } from '../xml/element.ts'
import {
  type Direction,
  booleanAt,
  childrenOf,
  codeAt,
  countAt,
  dayAt,
  directionAt,
  elementAt,
  misread,
  moneyAt,
  needDirection,
  needMoney,
  textAt,
  textsAt,
} from './elements.ts'

/** Transaction as it stands alone: amount and direction may be those of its entry. */
export type Transaction = Omit<EntryPart, 'direction'> & {
  readonly direction: Direction | null
  /** Amount of a version that has no `Amt` here, if it is in the currency of the entry. */
  readonly transacted: Money | null
}

/** Codes of ISO's list of entry statuses. */
const STATUSES: Readonly<Record<string, BankEntry['status']>> = {
  BOOK: 'booked',
  PDNG: 'pending',
  FUTR: 'pending',
  INFO: 'info',
}
/** Text in place of an id that the payer has not given. */
const NO_ID = 'NOTPROVIDED'

export function readTransaction(details: Element): Transaction {
  const refs = elementAt(details, 'Refs')
  const parties = elementAt(details, 'RltdPties')
  const direction = directionAt(details, 'CdtDbtInd')
  const returnInfo = elementAt(details, 'RtrInf')
  const returned = returnInfo && {
    reason: codeAt(returnInfo, 'Rsn'),
    text: joinTexts(textsAt(returnInfo, 'AddtlInf')),
  }
  const debtor = partyAt(parties, 'Dbtr')
  return {
    endToEndId: idOf(textAt(refs, 'EndToEndId')) ?? idOf(textAt(refs, 'InstrId')),
    messageId: textAt(refs, 'MsgId') ?? textAt(refs, 'PmtInfId'),
    amount: moneyAt(details, 'Amt'),
    direction,
    transacted: moneyAt(details, 'AmtDtls/TxAmt/Amt'),
    instructed: moneyAt(details, 'AmtDtls/InstdAmt/Amt'),
    reference: textAt(refs, 'AcctSvcrRef'),
    charges: readCharges(details),
    returned,
    debtor: {
      name: textAt(debtor, 'Nm'),
      account: accountAt(parties, 'DbtrAcct'),
      country: textAt(debtor, 'PstlAdr/Ctry') ?? textAt(debtor, 'CtryOfRes'),
    },
    creditorAccount: accountAt(parties, 'CdtrAcct'),
    ...readRemittance(elementAt(details, 'RmtInf')),
  }
}

const idOf = (text: string | null): string | null => (text === NO_ID ? null : text)
const joinTexts = (texts: readonly string[]): string | null => texts.join(' ') || null

/** Finds a party, which has an element of its own since version 8. */
function partyAt(parties: Element | null, name: string): Element | null {
  const party = elementAt(parties, name)
  return elementAt(party, 'Pty') ?? elementAt(party, 'Agt/FinInstnId') ?? party
}

/** Reads the IBAN of an account, or the bank's number. */
export const accountAt = (from: Element | null, path: string): string | null =>
  textAt(from, `${path}/Id/IBAN`)?.replaceAll(' ', '') ?? textAt(from, `${path}/Id/Othr/Id`)

function readRemittance(information: Element | null): Pick<EntryPart, 'remittance' | 'creditorReference'> {
  const structured = information ? childrenOf(information, 'Strd') : []
  const references = [...new Set(structured.flatMap((one) => textAt(one, 'CdtrRefInf/Ref') ?? []))]
  const documents = structured.flatMap((one) => [
    ...childrenOf(one, 'RfrdDocInf').flatMap((document) => textAt(document, 'Nb') ?? []),
    ...textsAt(one, 'AddtlRmtInf'),
  ])
  const [reference = null] = references
  return {
    remittance: joinTexts([
      ...textsAt(information, 'Ustrd'),
      ...documents,
      ...(references.length > 1 ? references : []),
    ]),
    creditorReference: references.length > 1 ? null : reference,
  }
}

/** Reads charges: records since version 4, elements of their own before. */
function readCharges(from: Element): Charge[] {
  const all = childrenOf(from, 'Chrgs').flatMap((charges): Charge[] => {
    const records = [...childrenOf(charges, 'Rcrd'), ...(elementAt(charges, 'Amt') ? [charges] : [])]
    if (records.length > 0) return records.map(chargeOf)
    const total = moneyAt(charges, 'TtlChrgsAndTaxAmt')
    return total ? [{ amount: total, isIncluded: null, isCredit: false }] : []
  })
  return all.filter(({ amount }) => !isZero(amount))
}

const chargeOf = (record: Element): Charge => ({
  amount: needMoney(record, 'Amt'),
  isIncluded: booleanAt(record, 'ChrgInclInd'),
  isCredit: directionAt(record, 'CdtDbtInd') === 'credit',
})

/** Reads an entry whose transactions were read before. */
export function readEntry(entry: Element, transactions: readonly Transaction[]): BankEntry {
  const [amount, direction] = [needMoney(entry, 'Amt'), needDirection(entry, 'CdtDbtInd')]
  const isOnly = transactions.length === 1
  return {
    direction,
    isReversal: booleanAt(entry, 'RvslInd') ?? false,
    status: statusOf(entry),
    amount,
    bookedOn: dayAt(entry, 'BookgDt'),
    valuedOn: dayAt(entry, 'ValDt'),
    reference: textAt(entry, 'AcctSvcrRef'),
    code: bankCodeOf(entry),
    charges: readCharges(entry),
    batch: batchOf(entry),
    parts: transactions.map(({ transacted, ...part }) => ({
      ...part,
      direction: part.direction ?? direction,
      amount: ofCurrency(part.amount, amount) ?? (isOnly ? amount : ofCurrency(transacted, amount)),
    })),
    info: textAt(entry, 'AddtlNtryInf'),
  }
}

const ofCurrency = (money: Money | null, { currency }: Money): Money | null =>
  money?.currency === currency ? money : null

/** Reads the status of an entry, which is a text before version 8. */
function statusOf(entry: Element): BankEntry['status'] {
  const element = elementAt(entry, 'Sts')
  const code = element && element.children.length > 0 ? codeAt(entry, 'Sts') : textAt(entry, 'Sts')
  if (code === null) return misread('Sts', 'is missing.')
  return STATUSES[code] ?? misread('Sts', 'is a code that is not known.')
}

function bankCodeOf(entry: Element): string | null {
  const domain = elementAt(entry, 'BkTxCd/Domn')
  const codes = [textAt(domain, 'Cd'), textAt(domain, 'Fmly/Cd'), textAt(domain, 'Fmly/SubFmlyCd')]
  return domain ? codes.filter((code) => code !== null).join('/') || null : textAt(entry, 'BkTxCd/Prtry/Cd')
}

/** Reads the batch of an entry. Ids are those that all of its parts name. */
function batchOf(entry: Element): BankEntry['batch'] {
  const batches = childrenOf(entry, 'NtryDtls').flatMap((details) => elementAt(details, 'Btch') ?? [])
  if (batches.length === 0) return null
  const common = (name: string) => {
    const ids = new Set(batches.map((batch) => textAt(batch, name)))
    const [id = null] = ids
    return ids.size === 1 ? id : null
  }
  const counts = batches.map((batch) => countAt(batch, 'NbOfTxs'))
  const count = counts.reduce((sum, one) => (sum === null || one === null ? null : sum + one), 0)
  return { messageId: common('MsgId'), paymentInformationId: common('PmtInfId'), count }
}

/** Lists the contradictions between an entry and its parts. */
export function contradictionsOf({ amount, direction, charges, batch, parts }: BankEntry): string[] {
  const isCounted = parts.length > 0 && batch?.count != null && batch.count !== parts.length
  const counts = isCounted ? ['NtryDtls/Btch/NbOfTxs'] : []
  if (parts.length === 0 || parts.some((part) => part.amount === null)) return counts
  const signed = (money: Money, isPlus: boolean) => (isPlus ? toMinor(money) : -toMinor(money))
  const sum = parts.reduce((total, part) => total + signed(part.amount ?? amount, part.direction === 'credit'), 0n)
  const taken = [...charges, ...parts.flatMap((part) => part.charges)]
    .filter((charge) => charge.amount.currency === amount.currency)
    .reduce((total, charge) => total + signed(charge.amount, charge.isCredit), 0n)
  const entry = signed(amount, direction === 'credit')
  return entry === sum || entry === sum + taken ? counts : ['NtryDtls', ...counts]
}
