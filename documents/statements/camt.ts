/** Statements as camt.053.001.08 and camt.054.001.08 (ISO 20022): one `Stmt` or `Ntfctn` for each currency. */
import { type Account, type Line, type Report, type Sums, lineOf } from '../../domain/exports/report.ts'
import { Unwritable } from '../../domain/exports/export.ts'
import { fromMinor, toMinor } from '../../domain/money/money.ts'
import { escapeXml, sayable } from '../xml/text.ts'
import {
  SERVICE,
  type Statement,
  describe,
  endOf,
  inPieces,
  numberOf,
  readBic,
  readIban,
  statementsOf,
  toSecond,
} from './accounts.ts'
import { codesOf } from './codes.ts'

/** Maximum of ActiveOrHistoricCurrencyAndAmount. */
const DIGITS_MAX = 18
/** Max140Text and Max35Text. */
const [TEXT_MAX, REFERENCE_MAX] = [140, 35]

const MESSAGES = {
  /** Balances and entries. */
  camt053: { namespace: 'urn:iso:std:iso:20022:tech:xsd:camt.053.001.08', message: 'BkToCstmrStmt', part: 'Stmt' },
  /** Entries alone. */
  camt054: {
    namespace: 'urn:iso:std:iso:20022:tech:xsd:camt.054.001.08',
    message: 'BkToCstmrDbtCdtNtfctn',
    part: 'Ntfctn',
  },
} as const
type Name = keyof typeof MESSAGES

/**
 * Writes a message; references are ids without hyphens, which would be too long. Throws `Unwritable` for used accounts
 * in coins, since the standard has codes of ISO 4217 only, and for amounts of more than 18 digits.
 */
export const camt053Of = (report: Report): AsyncGenerator<Uint8Array> => inPieces(messageOf('camt053', report))
export const camt054Of = (report: Report): AsyncGenerator<Uint8Array> => inPieces(messageOf('camt054', report))

async function* messageOf(name: Name, report: Report): AsyncGenerator<string> {
  const { namespace, message } = MESSAGES[name]
  const statements = await statementsOf(report)
  yield `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="${namespace}"><${message}><GrpHdr><MsgId>${reference(report.id)}</MsgId><CreDtTm>${toSecond(report.at)}</CreDtTm></GrpHdr>
`
  for (const statement of statements) yield* partOf(name, report, statement)
  yield `</${message}></Document>\n`
}

/** Writes an element, or nothing if its text is empty. */
function element(name: string, text: string | null, max: number): string {
  const said = sayable(text ?? '').trim()
  return said && `<${name}>${escapeXml(cut(said, max))}</${name}>`
}
/** Cuts text by code points, as XML Schema counts. */
const cut = (text: string, max: number): string => (text.length <= max ? text : Array.from(text).slice(0, max).join(''))

/** Splits text at blanks into pieces of up to `max` code points. It breaks only words that are longer. */
function piecesOf(text: string, max: number): string[] {
  const pieces: string[] = []
  let rest = Array.from(sayable(text).trim())
  while (rest.length > max) {
    const blank = rest.slice(0, max + 1).findLastIndex((sign) => /\s/u.test(sign))
    const end = blank > 0 ? blank : max
    pieces.push(rest.slice(0, end).join('').trimEnd())
    rest = Array.from(rest.slice(end).join('').trimStart())
  }
  return [...pieces, rest.join('')].filter(Boolean)
}

const wrap = (name: string, inside: string): string => inside && `<${name}>${inside}</${name}>`
const reference = (uuid: string): string => uuid.replaceAll('-', '')

async function* partOf(name: Name, report: Report, { account, pages, sums }: Statement): AsyncGenerator<string> {
  const { part } = MESSAGES[name]
  const { currency, opening, closing } = account
  const { instant: end, isOver } = endOf(report)
  const balances =
    balanceOf('OPBD', opening, currency, toSecond(report.from)) +
    balanceOf(isOver ? 'CLBD' : 'ITBD', closing, currency, end)
  // the id of a statement has 35 characters: that of the export begins it
  yield `<${part}><Id>${reference(report.id).slice(0, 31)}-${currency}</Id><CreDtTm>${toSecond(report.at)}</CreDtTm>
<FrToDt><FrDtTm>${toSecond(report.from)}</FrDtTm><ToDtTm>${end}</ToDtTm></FrToDt>
${accountOf(account, report.organization.name)}
${name === 'camt053' ? balances : ''}${summaryOf(await sums(), currency)}`
  for await (const page of pages) yield page.map((row) => entryOf(lineOf(row))).join('')
  yield `</${part}>\n`
}

function accountOf(account: Account, owner: string): string {
  const { currency, bank } = account
  const iban = readIban(bank?.iban ?? null)
  const other = element('Id', iban ? null : numberOf(account), 34)
  const bic = element('BICFI', readBic(bank?.bic ?? null), 11)
  const named = `<Ownr>${element('Nm', owner, TEXT_MAX)}</Ownr><Svcr><FinInstnId>${bic}<Nm>${SERVICE}</Nm></FinInstnId></Svcr>`
  return `<Acct><Id>${element('IBAN', iban, 34)}${wrap('Othr', other)}</Id><Ccy>${currency}</Ccy>${named}</Acct>`
}

const fits = (amount: string): boolean => amount.replaceAll(/[-.]/g, '').length <= DIGITS_MAX

/** Writes an amount without its sign. */
function moneyOf(amount: string, currency: string): string {
  if (!fits(amount)) throw new Unwritable('amount_too_large', 'camt has 18 digits')
  return `<Amt Ccy="${currency}">${amount.replace(/^-/, '')}</Amt>`
}
const indicatorOf = (amount: string): string => (amount.startsWith('-') ? 'DBIT' : 'CRDT')

const balanceOf = (
  code: string,
  amount: string,
  currency: string,
  iso: string,
): string => `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${moneyOf(amount, currency)}<CdtDbtInd>${indicatorOf(amount)}</CdtDbtInd><Dt><Dt>${iso.slice(0, 10)}</Dt></Dt></Bal>
`

/** Writes what entries add up to, or nothing if a sum has too many digits: the standard does not require it. */
function summaryOf({ in: credits, out: debits }: Sums, currency: string): string {
  const [into, out] = [toMinor({ amount: credits.amount, currency }), toMinor({ amount: debits.amount, currency })]
  const [gross, net] = [fromMinor(into + out, currency).amount, fromMinor(into - out, currency).amount]
  if (!fits(gross)) return ''
  const part = (name: string, rows: number, amount: string, inside = '') =>
    `<${name}><NbOfNtries>${rows}</NbOfNtries><Sum>${amount}</Sum>${inside}</${name}>`
  const netted = `<TtlNetNtry><Amt>${net.replace(/^-/, '')}</Amt><CdtDbtInd>${indicatorOf(net)}</CdtDbtInd></TtlNetNtry>`
  const total = part('TtlNtries', credits.rows + debits.rows, gross, netted)
  const each = [part('TtlCdtNtries', credits.rows, credits.amount), part('TtlDbtNtries', debits.rows, debits.amount)]
  return `<TxsSummry>${total}${each.join('')}</TxsSummry>\n`
}

/** Writes an entry, with the type of our feed as proprietary code. */
function entryOf(line: Line): string {
  const { id, postedAt, type, direction, amount, currency, description, paymentId } = line
  const day = `<Dt>${postedAt.slice(0, 10)}</Dt>`
  const money = `${moneyOf(amount, currency)}<CdtDbtInd>${direction === 'in' ? 'CRDT' : 'DBIT'}</CdtDbtInd>`
  const [domain, family, subFamily] = codesOf(line).iso
  const code = `<BkTxCd><Domn><Cd>${domain}</Cd><Fmly><Cd>${family}</Cd><SubFmlyCd>${subFamily}</SubFmlyCd></Fmly></Domn><Prtry><Cd>${type}</Cd></Prtry></BkTxCd>`
  const isFee = type === 'fee'
  const endToEnd = isFee || !paymentId ? '' : `<EndToEndId>${reference(paymentId)}</EndToEndId>`
  const { structured, tooLong } = documentOf(line)
  const said = [describe(type, description), ...tooLong].flatMap((text) => piecesOf(text, TEXT_MAX))
  const remittance = wrap('RmtInf', said.map((text) => element('Ustrd', text, TEXT_MAX)).join('') + structured)
  const own = reference(id)
  return `<Ntry><NtryRef>${own}</NtryRef>${money}<Sts><Cd>BOOK</Cd></Sts><BookgDt>${day}</BookgDt><ValDt>${day}</ValDt><AcctSvcrRef>${own}</AcctSvcrRef>${code}<NtryDtls><TxDtls><Refs><AcctSvcrRef>${own}</AcctSvcrRef>${endToEnd}</Refs>${money}${isFee ? '' : partiesOf(line)}${remittance}${isFee ? '' : wholeName(line)}</TxDtls></NtryDtls></Ntry>
`
}

/** Writes the other side of a movement: name, account and bank. */
function partiesOf({ direction, counterparty, account, bic }: Line): string {
  const party = direction === 'in' ? 'Dbtr' : 'Cdtr'
  const iban = readIban(account)
  const id = element('IBAN', iban, 34) || wrap('Othr', element('Id', account, 34))
  const name = wrap(party, wrap('Pty', element('Nm', counterparty, TEXT_MAX)))
  const agent = wrap('FinInstnId', element('BICFI', readBic(bic), 11))
  return wrap('RltdPties', name + wrap(`${party}Acct`, wrap('Id', id))) + wrap('RltdAgts', wrap(`${party}Agt`, agent))
}

/** Writes a name that is longer than the element of a party. */
const wholeName = ({ counterparty }: Line): string =>
  Array.from(counterparty).length > TEXT_MAX ? element('AddtlTxInf', counterparty, 500) : ''

/** Writes the number of the invoice, and the reference for its payee; those too long for that are text. */
function documentOf({ invoiceNumber, reference: given, description }: Line) {
  const references = [invoiceNumber, given === description ? '' : given]
  const [number = '', creditor = ''] = references.map((text) => (isReference(text) ? text : ''))
  const structured =
    wrap('RfrdDocInf', element('Nb', number, REFERENCE_MAX)) +
    wrap('CdtrRefInf', element('Ref', creditor, REFERENCE_MAX))
  return { structured: wrap('Strd', structured), tooLong: references.filter((text) => !isReference(text)) }
}

const isReference = (text: string): boolean => Array.from(sayable(text).trim()).length <= REFERENCE_MAX
