/** Reports about files of ours (pain.002), of versions 3 to 10. */
import {
  FILE_STATUSES,
  type FileStatus,
  type StatusReason,
  type StatusReport,
} from '../../domain/bank-files/messages.ts'
import type { Money } from '../../domain/money/money.ts'
import type { Element } from '../xml/element.ts'
import { childrenOf, codeAt, misread, moneyAt, needElement, needText, textAt, textsAt } from './elements.ts'

/** Payment of a report; null for the status of the whole. */
export type PaymentStatus = {
  readonly endToEndId: string
  readonly status: FileStatus | null
  readonly reasons: readonly StatusReason[]
  readonly amount: Money | null
}

export const readPaymentStatus = (payment: Element): PaymentStatus => ({
  endToEndId: textAt(payment, 'OrgnlEndToEndId') ?? needText(payment, 'OrgnlInstrId'),
  status: statusAt(payment, 'TxSts'),
  reasons: reasonsOf(payment),
  amount: moneyAt(payment, 'OrgnlTxRef/Amt/InstdAmt'),
})

/** Reads a report whose payments were read before. Our files have one `PmtInf`, so that its status is that of the whole. */
export function readStatusReport(report: Element, payments: readonly PaymentStatus[]): Omit<StatusReport, 'messageId'> {
  const group = needElement(report, 'OrgnlGrpInfAndSts')
  const batches = childrenOf(report, 'OrgnlPmtInfAndSts')
  const ofGroup = statusAt(group, 'GrpSts')
  const statuses = new Set(batches.flatMap((batch) => statusAt(batch, 'PmtInfSts') ?? []))
  if (statuses.size > 1) misread('OrgnlPmtInfAndSts', 'has several statuses of one file.')
  const [ofBatch = null] = statuses
  if (ofGroup === 'RJCT' && ofBatch !== null && ofBatch !== 'RJCT')
    misread('OrgnlPmtInfAndSts/PmtInfSts', 'contradicts the status of the group.')
  const status = ofBatch ?? ofGroup
  if (status === null && payments.length === 0) misread('OrgnlGrpInfAndSts', 'has no status, and no payment has one.')
  return {
    kind: 'report',
    about: needText(group, 'OrgnlMsgId'),
    status,
    reasons: [group, ...batches].flatMap(reasonsOf),
    payments: withoutRepeats(payments.map((payment) => complete(payment, status))),
  }
}

type Payment = StatusReport['payments'][number]

function complete({ status: own, ...payment }: PaymentStatus, whole: FileStatus | null): Payment {
  const status = own ?? whole
  if (status === null) return misread('TxInfAndSts/TxSts', 'is missing.')
  if (status === 'PART' || status === 'PATC') return misread('TxInfAndSts/TxSts', 'is no status of a payment.')
  if (whole === 'RJCT' && status !== 'RJCT') misread('TxInfAndSts/TxSts', 'contradicts the status of the whole.')
  return { ...payment, status }
}

/** Keeps each payment once. Throws Misread for one that has two statuses. */
function withoutRepeats(payments: readonly Payment[]): Payment[] {
  const known = new Map<string, Payment>()
  for (const payment of payments) {
    const earlier = known.get(payment.endToEndId)
    if (earlier && earlier.status !== payment.status) misread('TxInfAndSts', 'has two statuses of one payment.')
    known.set(payment.endToEndId, earlier ?? payment)
  }
  return [...known.values()]
}

function statusAt(from: Element, path: string): FileStatus | null {
  const code = textAt(from, path)
  if (code === null) return null
  return FILE_STATUSES.find((status) => status === code) ?? misread(path, 'is a code that is not known.')
}

const reasonsOf = (from: Element): StatusReason[] =>
  childrenOf(from, 'StsRsnInf').flatMap((information) => {
    const reason = { code: codeAt(information, 'Rsn'), text: textsAt(information, 'AddtlInf').join(' ') || null }
    return reason.code || reason.text ? [reason] : []
  })
