/** Files of a bank in its folder: pain.002.001.10, camt.054.001.08, camt.053.001.08. */
import type { AccountReport, BankEntry, Charge, EntryPart, StatusReport } from '../../../domain/bank-files/messages.ts'
import type { Money } from '../../../domain/money/money.ts'
import { write } from './bank.ts'

let count = 0

/** Writes a file with a message, under a name of its own or this one; answers the name. */
export function say(message: AccountReport | StatusReport, name = `bank-${(count += 1)}.xml`): string {
  write(name, xmlOf(message))
  return name
}

/** Writes a message. */
export const xmlOf = (message: AccountReport | StatusReport): string =>
  message.kind === 'report' ? reportOf(message) : accountOf(message)

const tag = (name: string, text: string | null | undefined): string =>
  text === null || text === undefined || text === '' ? '' : `<${name}>${text}</${name}>`
const documentOf = (kind: string, inside: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:${kind}">${inside}</Document>`
const sumOf = (name: string, { amount, currency }: Money): string => `<${name} Ccy="${currency}">${amount}</${name}>`
const signOf = (direction: 'credit' | 'debit'): string => tag('CdtDbtInd', direction === 'credit' ? 'CRDT' : 'DBIT')

function reportOf({ messageId, about, status, reasons, payments }: StatusReport): string {
  const why = (all: StatusReport['reasons']) =>
    all.map(({ code, text }) => tag('StsRsnInf', tag('Rsn', tag('Cd', code)) + tag('AddtlInf', text))).join('')
  const heads = tag('GrpHdr', tag('MsgId', messageId) + tag('CreDtTm', new Date().toISOString()))
  const original = tag('OrgnlMsgId', about) + tag('OrgnlMsgNmId', 'pain.001.001.09')
  const group = tag('OrgnlGrpInfAndSts', original + tag('GrpSts', status) + why(reasons))
  const single = payments
    .map((one) =>
      tag('TxInfAndSts', tag('OrgnlEndToEndId', one.endToEndId) + tag('TxSts', one.status) + why(one.reasons)),
    )
    .join('')
  const all = single && tag('OrgnlPmtInfAndSts', tag('OrgnlPmtInfId', about) + single)
  return documentOf('pain.002.001.10', tag('CstmrPmtStsRpt', heads + group + all))
}

function accountOf(report: AccountReport): string {
  const isStatement = report.kind === 'statement'
  const heads = tag('GrpHdr', tag('MsgId', report.messageId) + tag('CreDtTm', report.createdAt))
  const balances = [
    ['OPBD', report.opening],
    ['CLBD', report.closing],
  ] as const
  const held = balances.map(([code, balance]) => {
    if (!balance) return ''
    const { amount, currency } = balance.amount
    const isBelow = amount.startsWith('-')
    const sum = sumOf('Amt', { amount: amount.replace('-', ''), currency }) + signOf(isBelow ? 'debit' : 'credit')
    return tag('Bal', tag('Tp', tag('CdOrPrtry', tag('Cd', code))) + sum + tag('Dt', tag('Dt', balance.day)))
  })
  const account = tag('Acct', tag('Id', tag('IBAN', report.account)) + tag('Ccy', report.currency))
  const inside = [
    tag('Id', report.id),
    tag('CreDtTm', report.createdAt),
    account,
    ...held,
    ...report.entries.map(entryOf),
  ]
  const body = tag(isStatement ? 'Stmt' : 'Ntfctn', inside.join(''))
  const message = isStatement ? 'BkToCstmrStmt' : 'BkToCstmrDbtCdtNtfctn'
  return documentOf(isStatement ? 'camt.053.001.08' : 'camt.054.001.08', tag(message, heads + body))
}

const STATUS = { booked: 'BOOK', pending: 'PDNG', info: 'INFO' } as const

function entryOf(entry: BankEntry): string {
  const { batch } = entry
  const batched = batch ? tag('Btch', tag('MsgId', batch.messageId) + tag('PmtInfId', batch.paymentInformationId)) : ''
  const details = batched + entry.parts.map(partOf).join('')
  const inside = [
    sumOf('Amt', entry.amount),
    signOf(entry.direction),
    entry.isReversal ? tag('RvslInd', 'true') : '',
    tag('Sts', tag('Cd', STATUS[entry.status])),
    tag('BookgDt', tag('Dt', entry.bookedOn)),
    tag('ValDt', tag('Dt', entry.valuedOn)),
    tag('AcctSvcrRef', entry.reference),
    tag('BkTxCd', tag('Prtry', tag('Cd', entry.code ?? 'TRF'))),
    chargesOf(entry.charges),
    tag('NtryDtls', details),
  ]
  return tag('Ntry', inside.join(''))
}

const chargesOf = (charges: readonly Charge[]): string =>
  tag(
    'Chrgs',
    charges
      .map((one) =>
        tag(
          'Rcrd',
          sumOf('Amt', one.amount) +
            signOf(one.isCredit ? 'credit' : 'debit') +
            tag('ChrgInclInd', `${one.isIncluded ?? true}`),
        ),
      ) // prettier-ignore
      .join(''),
  )

function partOf(part: EntryPart): string {
  const { debtor, creditorAccount, creditorReference } = part
  const ends = part.endToEndId ?? 'NOTPROVIDED'
  const refs = tag('MsgId', part.messageId) + tag('AcctSvcrRef', part.reference) + tag('EndToEndId', ends)
  const accountOfIban = (name: string, iban: string | null) => tag(name, iban && tag('Id', tag('IBAN', iban)))
  const named = tag('Nm', debtor.name) + tag('PstlAdr', tag('Ctry', debtor.country))
  const parties = tag('Dbtr', named && tag('Pty', named)) + accountOfIban('DbtrAcct', debtor.account)
  const structured = creditorReference && tag('Strd', tag('CdtrRefInf', tag('Ref', creditorReference)))
  const returned = part.returned && tag('RtrInf', tag('Rsn', tag('Cd', part.returned.reason)) + tag('AddtlInf', part.returned.text)) // prettier-ignore
  const inside = [
    tag('Refs', refs),
    part.amount ? sumOf('Amt', part.amount) : '',
    signOf(part.direction),
    tag('AmtDtls', part.instructed && tag('InstdAmt', sumOf('Amt', part.instructed))),
    chargesOf(part.charges),
    tag('RltdPties', parties + accountOfIban('CdtrAcct', creditorAccount)),
    tag('RmtInf', tag('Ustrd', part.remittance) + (structured ?? '')),
    returned ?? '',
  ]
  return tag('TxDtls', inside.join(''))
}
