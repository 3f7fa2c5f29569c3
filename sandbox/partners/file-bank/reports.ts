/** Status reports of the stand-in of a bank: pain.002.001.10. */
import type { PayoutStatus } from '../../../domain/partner.ts'
import { amountElement, documentOf, element, nameElement } from './xml.ts'

/** Statuses that a report names; entries name settled and returned payouts. */
export const CODES: Readonly<Partial<Record<PayoutStatus, string>>> = {
  pending: 'ACCP',
  processing: 'ACSP',
  on_hold: 'PDNG',
  rejected: 'RJCT',
  cancelled: 'CANC',
}
/** Reason of a refusal that names none: the account is closed. */
const USUAL_REASON = 'AC04'

export type ReportedTransfer = {
  readonly batch: string
  readonly instructionId: string | null
  readonly endToEndId: string
  readonly amount: string
  readonly currency: string
  readonly creditor: string
  readonly status: string
  /** Code, words, or a code with words behind it; null without. */
  readonly reason: string | null
}
export type Report = {
  readonly id: string
  readonly at: string
  readonly bic: string
  /** Message id of the file that it is about. */
  readonly about: string
  readonly status: string | null
  readonly reason: string | null
  readonly transfers: readonly ReportedTransfer[]
}

export const writeReport = ({ id, at, bic, about, status, reason, transfers }: Report): string =>
  documentOf('pain.002.001.10', [
    element('CstmrPmtStsRpt', [
      element('GrpHdr', [
        element('MsgId', id),
        element('CreDtTm', at),
        element('DbtrAgt', [element('FinInstnId', [element('BICFI', bic)])]),
      ]),
      element('OrgnlGrpInfAndSts', [
        element('OrgnlMsgId', about),
        element('OrgnlMsgNmId', 'pain.001.001.09'),
        element('GrpSts', status),
        reason === null ? '' : reasonElement(reason, bic),
      ]),
      ...batchesOf(transfers).map((batch) =>
        element('OrgnlPmtInfAndSts', [
          element('OrgnlPmtInfId', batch),
          ...transfers.filter((one) => one.batch === batch).map((one) => writeTransfer(one, bic)),
        ]),
      ),
    ]),
  ])

const batchesOf = (transfers: readonly ReportedTransfer[]) => [...new Set(transfers.map(({ batch }) => batch))]

const writeTransfer = (one: ReportedTransfer, bic: string): string =>
  element('TxInfAndSts', [
    element('OrgnlInstrId', one.instructionId),
    element('OrgnlEndToEndId', one.endToEndId),
    element('TxSts', one.status),
    one.reason === null && one.status !== 'RJCT' ? '' : reasonElement(one.reason ?? USUAL_REASON, bic),
    element('OrgnlTxRef', [
      element('Amt', [amountElement('InstdAmt', one.amount, one.currency)]),
      element('Cdtr', [element('Pty', [nameElement(one.creditor)])]),
    ]),
  ])

function reasonElement(reason: string, bic: string): string {
  const { code, words } = splitReason(reason)
  return element('StsRsnInf', [
    element('Orgtr', [element('Id', [element('OrgId', [element('AnyBIC', bic)])])]),
    element('Rsn', [element('Cd', code)]),
    element('AddtlInf', words),
  ])
}

/** Splits a reason into its code and its words, of 105 characters; null without. */
export function splitReason(reason: string): { readonly code: string; readonly words: string | null } {
  const [, code, rest] = /^([A-Z]{2}[0-9]{2})(?: (.*))?$/s.exec(reason) ?? []
  return code === undefined
    ? { code: USUAL_REASON, words: reason.slice(0, 105) || null }
    : { code, words: rest?.slice(0, 105) || null }
}
