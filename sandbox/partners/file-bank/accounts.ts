/** Account reports of the stand-in of a bank: notifications (camt.054.001.08) and statements (camt.053.001.08). */
import { isValidIBAN } from 'ibantools'
import type { Money } from '../../../domain/money/money.ts'
import { amountElement, documentOf, element, nameElement } from './xml.ts'

/** Transaction of an entry. */
export type Part = {
  readonly reference: string
  readonly amount: string
  readonly endToEndId?: string
  readonly messageId?: string
  readonly batch?: string
  /** Payer of a credit, payee of a debit. */
  readonly party: { readonly name: string | null; readonly account: string | null; readonly country?: string | null }
  /** Account that a payer named. */
  readonly creditorAccount?: string
  readonly remittance: string | null
  /** Structured reference of the creditor. */
  readonly creditorReference?: string | null
  readonly charges?: Money | null
  readonly returned?: { readonly code: string; readonly words: string | null; readonly original: string }
}
/** Members of an entry beside its amount. */
export type EntryDocument = {
  /** Domain, family and sub-family, as `PMNT/ICDT/ESCT`. */
  readonly code: string
  /** Takes back what was booked in error. */
  readonly isReversal?: true
  /** Sum of a batch, whose payments are not named if `parts` is empty. */
  readonly batch?: { readonly messageId: string; readonly id: string; readonly count: number }
  readonly parts: readonly Part[]
}
export type Entry = {
  readonly reference: string
  readonly iban: string
  readonly currency: string
  /** Signed: credits are positive. */
  readonly amount: string
  readonly bookedOn: string
  readonly document: EntryDocument
}
type Account = { readonly iban: string; readonly currency: string; readonly bic: string }
type Head = { readonly id: string; readonly at: string; readonly account: Account }

export const writeNotification = ({ id, at, account }: Head, entries: readonly Entry[]): string =>
  documentOf('camt.054.001.08', [
    element('BkToCstmrDbtCdtNtfctn', [
      header(id, at),
      element('Ntfctn', [
        element('Id', id),
        element('CreDtTm', at),
        accountElement(account),
        ...entries.map(writeEntry),
      ]),
    ]),
  ])

export type Statement = {
  readonly number: number
  readonly day: string
  readonly opening: string
  readonly closing: string
}

export const writeStatement = (
  { id, at, account }: Head,
  { number, day, opening, closing }: Statement,
  entries: readonly Entry[],
): string =>
  documentOf('camt.053.001.08', [
    element('BkToCstmrStmt', [
      header(id, at),
      element('Stmt', [
        element('Id', id),
        element('ElctrncSeqNb', String(number)),
        element('CreDtTm', at),
        accountElement(account),
        balance('OPBD', opening, account.currency, day),
        balance('CLBD', closing, account.currency, day),
        ...entries.map(writeEntry),
      ]),
    ]),
  ])

const header = (id: string, at: string) => element('GrpHdr', [element('MsgId', id), element('CreDtTm', at)])

const accountElement = ({ iban, currency, bic }: Account): string =>
  element('Acct', [
    element('Id', [element('IBAN', iban)]),
    element('Ccy', currency),
    element('Svcr', [element('FinInstnId', [element('BICFI', bic)])]),
  ])

const withoutSign = (amount: string): string => amount.replace('-', '')
const direction = (amount: string): string => element('CdtDbtInd', amount.startsWith('-') ? 'DBIT' : 'CRDT')

const balance = (code: string, amount: string, currency: string, day: string): string =>
  element('Bal', [
    element('Tp', [element('CdOrPrtry', [element('Cd', code)])]),
    amountElement('Amt', withoutSign(amount), currency),
    direction(amount),
    element('Dt', [element('Dt', day)]),
  ])

function writeEntry({ reference, amount, currency, bookedOn, document }: Entry): string {
  const { batch, code, parts } = document
  return element('Ntry', [
    amountElement('Amt', withoutSign(amount), currency),
    direction(amount),
    element('RvslInd', document.isReversal ? 'true' : null),
    element('Sts', [element('Cd', 'BOOK')]),
    element('BookgDt', [element('Dt', bookedOn)]),
    element('ValDt', [element('Dt', bookedOn)]),
    element('AcctSvcrRef', reference),
    codeElement('BkTxCd', code),
    element('NtryDtls', [
      batch
        ? element('Btch', [
            element('MsgId', batch.messageId),
            element('PmtInfId', batch.id),
            element('NbOfTxs', String(batch.count)),
            amountElement('TtlAmt', withoutSign(amount), currency),
          ])
        : '',
      ...parts.map((part) => writePart(part, { currency, isCredit: !amount.startsWith('-') })),
    ]),
  ])
}

function codeElement(name: string, code: string): string {
  const [domain = '', family = '', sub = ''] = code.split('/')
  return element(name, [
    element('Domn', [element('Cd', domain), element('Fmly', [element('Cd', family), element('SubFmlyCd', sub)])]),
  ])
}

function writePart(part: Part, { currency, isCredit }: { currency: string; isCredit: boolean }): string {
  const { charges, creditorAccount, party, returned } = part
  // what comes back has the parties of the payment: its payee
  const isPayer = isCredit && !returned
  return element('TxDtls', [
    element('Refs', [
      element('MsgId', part.messageId ?? null),
      element('AcctSvcrRef', part.reference),
      element('PmtInfId', part.batch ?? null),
      element('EndToEndId', part.endToEndId ?? 'NOTPROVIDED'),
    ]),
    amountElement('Amt', part.amount, currency),
    element('CdtDbtInd', isCredit ? 'CRDT' : 'DBIT'),
    returned ? element('AmtDtls', [element('InstdAmt', [amountElement('Amt', returned.original, currency)])]) : '',
    charges ? chargesElement(charges) : '',
    element('RltdPties', [
      element(isPayer ? 'Dbtr' : 'Cdtr', partyElements(party)),
      element(isPayer ? 'DbtrAcct' : 'CdtrAcct', party.account === null ? null : [accountId(party.account)]),
      creditorAccount === undefined ? '' : element('CdtrAcct', [accountId(creditorAccount)]),
    ]),
    remittanceElement(part),
    returned
      ? element('RtrInf', [
          codeElement('OrgnlBkTxCd', 'PMNT/ICDT/ESCT'),
          element('Rsn', [element('Cd', returned.code)]),
          element('AddtlInf', returned.words),
        ])
      : '',
  ])
}

const partyElements = ({ country, name }: Part['party']): readonly string[] => [
  element('Pty', [nameElement(name || 'NOTPROVIDED'), country ? element('PstlAdr', [element('Ctry', country)]) : '']),
]

const accountId = (account: string): string =>
  element('Id', [
    isValidIBAN(account) ? element('IBAN', account) : element('Othr', [element('Id', account.slice(0, 34))]),
  ])

const chargesElement = ({ amount, currency }: Money): string =>
  element('Chrgs', [
    amountElement('TtlChrgsAndTaxAmt', amount, currency),
    element('Rcrd', [
      amountElement('Amt', amount, currency),
      element('CdtDbtInd', 'DBIT'),
      element('ChrgInclInd', 'true'),
    ]),
  ])

function remittanceElement({ creditorReference, remittance }: Part): string {
  if (!creditorReference && !remittance) return ''
  return element('RmtInf', [
    element('Ustrd', remittance && remittance.slice(0, 140)),
    creditorReference
      ? element('Strd', [
          element('CdtrRefInf', [
            element('Tp', [element('CdOrPrtry', [element('Cd', 'SCOR')])]),
            element('Ref', creditorReference),
          ]),
        ])
      : '',
  ])
}
