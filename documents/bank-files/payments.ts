/**
 * Payments as pain.001.001.09, one `PmtInf` each file. The same file gives the same bytes for ever: re-sent bytes must be
 * those whose hash is stored.
 *
 * | | euros within SEPA (EPC132-08, 2025) | all else |
 * |---|---|---|
 * | `PmtTpInf` | `SEPA`; `INST` if it is instant | absent |
 * | `ChrgBr` | `SLEV` | `SHAR` |
 * | creditor | IBAN; BIC if it is known | IBAN or `Othr`; BIC or `ClrSysMmbId` |
 * | names | 70 characters | 140 characters |
 * | `UltmtDbtr` | name | name and address |
 *
 * `PmtInfId` is the message id, `InstrId` the end-to-end id; single booking is asked for (`BtchBookg` false).
 */
import type { FilePayment, PaymentFile } from '../../domain/bank-files/messages.ts'
import { fromMinor, toMinor } from '../../domain/money/money.ts'
import { escapeXml } from '../xml/text.ts'
import { type AddressPart, partsOf, partsOfPayer } from './address.ts'
import { MAX, UnwritablePayments, findFaultOfFile, isWithinSepa } from './payment-faults.ts'

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09'

/** Writes a file. Throws UnwritablePayments for the first thing in it that the bank could not take as it is meant. */
export function writePayments(file: PaymentFile): string {
  const fault = findFaultOfFile(file)
  if (fault) throw new UnwritablePayments(fault)
  const { messageId, createdAt, holder, account, payments } = file
  const isSepa = payments.every((payment) => isWithinSepa(account, payment))
  const total = payments.reduce((sum, { amount }) => sum + toMinor(amount), 0n)
  const sums = tag('NbOfTxs', String(payments.length)) + tag('CtrlSum', fromMinor(total, account.currency).amount)
  const created = tag('CreDtTm', `${createdAt.slice(0, 19)}Z`)
  const debtor =
    wrap('Dbtr', tag('Nm', holder)) +
    wrap('DbtrAcct', wrap('Id', tag('IBAN', account.iban)) + tag('Ccy', account.currency)) +
    wrap('DbtrAgt', wrap('FinInstnId', tag('BICFI', account.bic)))
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="${NAMESPACE}"><CstmrCdtTrfInitn>
<GrpHdr>${tag('MsgId', messageId)}${created}${sums}${wrap('InitgPty', tag('Nm', holder))}</GrpHdr>
<PmtInf>${tag('PmtInfId', messageId)}<PmtMtd>TRF</PmtMtd><BtchBookg>false</BtchBookg>${sums}${typeOf(isSepa, file)}
${wrap('ReqdExctnDt', tag('Dt', file.executionDay))}${debtor}${tag('ChrgBr', isSepa ? 'SLEV' : 'SHAR')}
${payments.map((payment) => transferOf(payment, isSepa)).join('\n')}
</PmtInf>
</CstmrCdtTrfInitn></Document>
`
}

const tag = (name: string, text: string): string => `<${name}>${escapeXml(text)}</${name}>`
const wrap = (name: string, inside: string): string => inside && `<${name}>${inside}</${name}>`

const typeOf = (isSepa: boolean, { isInstant }: PaymentFile): string => {
  if (!isSepa) return ''
  const instant = isInstant ? wrap('LclInstrm', tag('Cd', 'INST')) : ''
  return wrap('PmtTpInf', wrap('SvcLvl', tag('Cd', 'SEPA')) + instant)
}

function transferOf({ endToEndId, amount, reference, creditor, payer }: FilePayment, isSepa: boolean): string {
  const ids = wrap('PmtId', tag('InstrId', endToEndId) + tag('EndToEndId', endToEndId))
  const { amount: text, currency } = fromMinor(toMinor(amount), amount.currency)
  const instructed = `<InstdAmt Ccy="${currency}">${text}</InstdAmt>`
  const { account } = creditor
  const id = 'iban' in account ? tag('IBAN', account.iban) : wrap('Othr', tag('Id', account.number))
  const named = wrap('Cdtr', tag('Nm', creditor.name) + addressOf(creditor.address && partsOf(creditor.address)))
  const remittance = reference && tag('Ustrd', reference)
  const parts = [
    ids,
    wrap('Amt', instructed),
    wrap('UltmtDbtr', payerOf(payer, isSepa)),
    wrap('CdtrAgt', wrap('FinInstnId', agentOf(creditor, isSepa))),
    named,
    wrap('CdtrAcct', wrap('Id', id)),
    wrap('RmtInf', remittance),
  ]
  return `<CdtTrfTxInf>${parts.join('')}</CdtTrfTxInf>`
}

/** Writes the bank of a creditor; nothing if the IBAN says it. EPC132-08 has no clearing code. */
function agentOf({ bic, clearing }: FilePayment['creditor'], isSepa: boolean): string {
  const member =
    clearing && !isSepa
      ? wrap('ClrSysMmbId', wrap('ClrSysId', tag('Cd', clearing.system)) + tag('MmbId', clearing.code))
      : ''
  return (bic === null ? '' : tag('BICFI', bic)) + member
}

/** Writes the payer of a transfer. Its name is cut where it is longer: it is information beside the account. */
function payerOf(payer: FilePayment['payer'], isSepa: boolean): string {
  if (!payer) return ''
  if (isSepa) return tag('Nm', payer.name.slice(0, MAX.sepaName).trimEnd())
  return tag('Nm', payer.name.slice(0, MAX.name).trimEnd()) + addressOf(partsOfPayer(payer.address))
}

const addressOf = (parts: readonly AddressPart[] | null): string =>
  wrap('PstlAdr', (parts ?? []).map(([name, text]) => tag(name, text)).join(''))
