/**
 * Reader of what a bank sends. Entries, transactions and statuses of payments are read as they end, and then dropped from
 * the tree: a file of tens of thousands takes no more memory than what is read of it.
 *
 * | message | versions | read |
 * |---|---|---|
 * | pain.002 | 3 to 10 | statuses of the file and its payments, reasons, amounts |
 * | camt.053 | 2 to 8 | statements: balances, pages, numbers, entries |
 * | camt.054 | 2 to 8 | notifications: entries |
 *
 * An envelope around the one `Document` is skipped, as are elements of other namespaces. Nothing is guessed: a code that
 * is not known, a missing amount, or one that is not exact makes the file unreadable, and the reason names the element.
 * Sums that contradict each other are `contradictions` of the report.
 */
import type { AccountReport, BankEntry, BankFileContent } from '../../domain/bank-files/messages.ts'
import { UnreadableBill } from '../../domain/bills/reader.ts'
import { parseXml } from '../xml/document.ts'
import type { Element } from '../xml/element.ts'
import { readReport } from './account-report.ts'
import { Misread, misread, needElement, needInstant, needText } from './elements.ts'
import { type Transaction, readEntry, readTransaction } from './entries.ts'
import { type PaymentStatus, readPaymentStatus, readStatusReport } from './status-report.ts'

const MEGABYTES_MAX = 50
const ELEMENTS_MAX = 4_000_000
/** Entries, transactions and statuses: two for each payment of our largest file. */
const RECORDS_MAX = 110_000

const [STATEMENTS, NOTIFICATIONS, STATUSES] = ['BkToCstmrStmt', 'BkToCstmrDbtCdtNtfctn', 'CstmrPmtStsRpt']
/** Messages with their versions whose members are read. */
const MESSAGES: Readonly<Record<string, readonly [name: string, oldest: number, latest: number]>> = {
  'pain.002': [STATUSES, 3, 10],
  'camt.053': [STATEMENTS, 2, 8],
  'camt.054': [NOTIFICATIONS, 2, 8],
}
const NAMESPACE = /^urn:iso:std:iso:20022:tech:xsd:(pain\.002|camt\.05[34])\.001\.(\d{2})$/
const KINDS: Readonly<Record<string, AccountReport['kind']>> = {
  [`${STATEMENTS}/Stmt`]: 'statement',
  [`${NOTIFICATIONS}/Ntfctn`]: 'notification',
}

const REPORTS = Object.keys(KINDS)

/** Reads a file of a bank. Throws UnreadableBill, which says why and where. */
export function readBankFile(bytes: Uint8Array): BankFileContent {
  const collector = new Collector()
  try {
    const root = parseXml(bytes, {
      megabytesMax: MEGABYTES_MAX,
      elementsMax: ELEMENTS_MAX,
      take: (element) => collector.take(element),
    })
    return { messages: collector.finish(documentIn(root)) }
  } catch (error) {
    if (error instanceof Misread) throw new UnreadableBill('damaged', `${collector.place()}${error.message}`)
    throw error
  }
}

function documentIn(root: Element): Element {
  const isDocument = ({ name, namespace }: Element) => name === 'Document' && namespace.includes(':iso:20022:')
  const [document, ...others] = isDocument(root) ? [root] : root.children.filter(isDocument)
  if (!document) throw new UnreadableBill('unknown_format', 'The file is no message of ISO 20022.')
  if (others.length > 0) throw new UnreadableBill('ambiguous', 'The file has more than one message.')
  return document
}

/** Names the message of a document. Throws UnreadableBill for another one, or another version. */
function messageOf({ namespace }: Element): string {
  const [, kind = '', version] = NAMESPACE.exec(namespace) ?? []
  const [name = '', oldest, latest] = MESSAGES[kind] ?? []
  if (oldest && latest && Number(version) >= oldest && Number(version) <= latest) return name
  throw new UnreadableBill('unknown_format', 'The file is a message, or a version of one, that is not read here.')
}

/** Collector of what ends, from the inside out. */
class Collector {
  private transactions: Transaction[] = []
  private entries: BankEntry[] = []
  private readonly payments: PaymentStatus[] = []
  private readonly reports: ReturnType<typeof readReport>[] = []
  private records = 0
  private at: 'report' | 'entry' | 'transaction' | 'payment' | 'message' = 'message'

  /** Reads an element that is a record, with what was read in it; tells if it was one. */
  take(element: Element): boolean {
    switch (element.name) {
      case 'TxDtls':
        return this.readAt('transaction', REPORTS, '/Ntry/NtryDtls/TxDtls', element, () =>
          this.transactions.push(readTransaction(element)),
        )
      case 'Ntry':
        return this.readAt('entry', REPORTS, '/Ntry', element, () => {
          this.entries.push(readEntry(element, this.transactions))
          this.transactions = []
        })
      case 'TxInfAndSts':
        return this.readAt('payment', [`${STATUSES}/OrgnlPmtInfAndSts`], '/TxInfAndSts', element, () =>
          this.payments.push(readPaymentStatus(element)),
        )
      case 'Stmt':
      case 'Ntfctn':
        return this.readAt('report', REPORTS, '', element, () => {
          this.reports.push(readReport(element, KINDS[pathOf(element)] ?? 'notification', this.entries))
          this.entries = []
        })
      default:
        return false
    }
  }

  private readAt(
    at: Collector['at'],
    parents: readonly string[],
    below: string,
    element: Element,
    readIt: () => void,
  ): boolean {
    const path = pathOf(element)
    if (!parents.some((parent) => path === `${parent}${below}`)) return false
    messageOf(element) // another version may have other members
    this.at = at
    this.records += 1
    if (this.records > RECORDS_MAX)
      throw new UnreadableBill('too_large', `The file has more than ${RECORDS_MAX} entries and transactions.`)
    readIt()
    this.at = 'message'
    return true
  }

  /** Names the place of the record that is read, to begin the path of a fault. */
  place(): string {
    const [report, entry] = [`Report ${this.reports.length + 1}`, `Ntry[${this.entries.length + 1}]`]
    switch (this.at) {
      case 'transaction':
        return `${report}: ${entry}/NtryDtls/TxDtls[${this.transactions.length + 1}]/`
      case 'entry':
        return `${report}: ${entry}/`
      case 'report':
        return `${report}: `
      case 'payment':
        return `TxInfAndSts[${this.payments.length + 1}]/`
      case 'message':
        return ''
    }
  }

  /** Makes the messages of what was read, with their header. */
  finish(document: Element): BankFileContent['messages'] {
    const name = messageOf(document)
    const [message, ...others] = document.children
    if (!message || others.length > 0 || message.namespace !== document.namespace || message.name !== name)
      return misread('Document', `has not one ${name}.`)
    const header = needElement(message, 'GrpHdr')
    const messageId = needText(header, 'MsgId')
    if (name === STATUSES) return [{ ...readStatusReport(message, this.payments), messageId }]
    if (this.reports.length === 0) misread(name, 'has no account.')
    return this.reports.map((report) => ({
      ...report,
      messageId,
      createdAt: report.createdAt ?? needInstant(header, 'CreDtTm'),
    }))
  }
}

/** Names an element by its path below `Document`; empty if it is of several namespaces. */
function pathOf(element: Element): string {
  const names: string[] = []
  for (let at: Element | null = element; at; at = at.parent) {
    if (at.namespace !== element.namespace) return ''
    if (at.name === 'Document') return names.toReversed().join('/')
    names.push(at.name)
  }
  return ''
}
