/** Reader of payment files at the stand-in of a bank: pain.001.001.09, with a parser of its own. */
import { type SaxesTagNS, SaxesParser } from 'saxes'

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09'
const DEPTH_MAX = 32

/** Transfer as it was ordered. */
export type OrderedTransfer = {
  readonly endToEndId: string
  readonly instructionId: string | null
  readonly amount: string
  readonly currency: string
  readonly creditor: string
  readonly creditorAccount: string
  readonly creditorTown: string | null
  readonly remittance: string | null
}
/** Transfers from one account on one day. */
export type OrderedBatch = {
  readonly id: string
  /** Booked as one entry. */
  readonly isBooked: boolean
  /** To be paid within seconds, or not at all. */
  readonly isInstant: boolean
  readonly account: string
  readonly requestedOn: string
  readonly transfers: readonly OrderedTransfer[]
}
export type OrderFile = {
  readonly messageId: string
  readonly count: string
  readonly sum: string | null
  readonly batches: readonly OrderedBatch[]
}

/** Fault of a file that is no payment file. */
export class UnreadableOrders extends Error {}

type Node = { readonly name: string; readonly currency: string; readonly children: Node[]; text: string }

/** Reads a file of payments. Throws UnreadableOrders for what is none; sums and accounts are judged elsewhere. */
export function readOrders(bytes: Uint8Array): OrderFile {
  const root = parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  const initiation = root.children.find(({ name }) => name === 'CstmrCdtTrfInitn') ?? missing('CstmrCdtTrfInitn')
  return {
    messageId: requireText(initiation, 'GrpHdr/MsgId'),
    count: requireText(initiation, 'GrpHdr/NbOfTxs'),
    sum: textAt(initiation, 'GrpHdr/CtrlSum'),
    batches: all(initiation, 'PmtInf').map(readBatch),
  }
}

const readBatch = (batch: Node): OrderedBatch => ({
  id: requireText(batch, 'PmtInfId'),
  isBooked: textAt(batch, 'BtchBookg') === 'true',
  isInstant: textAt(batch, 'PmtTpInf/LclInstrm/Cd') === 'INST',
  account: requireText(batch, 'DbtrAcct/Id/IBAN'),
  requestedOn: requireText(batch, 'ReqdExctnDt/Dt'),
  transfers: all(batch, 'CdtTrfTxInf').map(readTransfer),
})

function readTransfer(transfer: Node): OrderedTransfer {
  const amount = all(transfer, 'Amt/InstdAmt')[0] ?? missing('InstdAmt')
  const account = textAt(transfer, 'CdtrAcct/Id/IBAN') ?? textAt(transfer, 'CdtrAcct/Id/Othr/Id')
  return {
    endToEndId: requireText(transfer, 'PmtId/EndToEndId'),
    instructionId: textAt(transfer, 'PmtId/InstrId'),
    amount: amount.text.trim(),
    currency: amount.currency,
    creditor: requireText(transfer, 'Cdtr/Nm'),
    creditorAccount: account ?? missing('CdtrAcct'),
    creditorTown: textAt(transfer, 'Cdtr/PstlAdr/TwnNm'),
    remittance: textAt(transfer, 'RmtInf/Ustrd'),
  }
}

/** Parses XML of the namespace of payment files. Whatever has a document type is refused. */
function parse(text: string): Node {
  const top: Node = { name: '', currency: '', children: [], text: '' }
  const path = [top]
  const parser = new SaxesParser({ xmlns: true })
  const refuse = (what: string): never => {
    throw new UnreadableOrders(what)
  }
  parser.on('error', () => refuse('it is no XML'))
  parser.on('doctype', () => refuse('it has a document type'))
  parser.on('opentag', ({ uri, local, attributes }: SaxesTagNS) => {
    if (uri !== NAMESPACE) refuse('it is no pain.001.001.09')
    if (path.length > DEPTH_MAX) refuse('it is too deep')
    const node: Node = { name: local, currency: attributes['Ccy']?.value ?? '', children: [], text: '' }
    path.at(-1)?.children.push(node)
    path.push(node)
  })
  parser.on('text', (piece) => void ((path.at(-1) ?? top).text += piece))
  parser.on('closetag', () => void path.pop())
  parser.write(text).close()
  return top.children[0] ?? missing('Document')
}

function all(from: Node, path: string): Node[] {
  let found = [from]
  for (const name of path.split('/')) {
    found = found.flatMap(({ children }) => children.filter((child) => child.name === name))
  }
  return found
}

const textAt = (from: Node, path: string): string | null => all(from, path)[0]?.text.trim() || null
const requireText = (from: Node, path: string): string => textAt(from, path) ?? missing(path)

function missing(path: string): never {
  throw new UnreadableOrders(`there is no ${path}`)
}
