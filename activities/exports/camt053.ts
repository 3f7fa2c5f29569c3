/** A statement as camt.053.001.08 (ISO 20022, bank to customer statement): one `Stmt` for each currency. */
import { type Account, type Pages, type Report, type Row, type Section, lineOf } from '../../domain/exports/report.ts'
import { Unwritable } from '../../domain/exports/export.ts'
import { isCoin } from '../../domain/money/currencies.ts'
import { escapeXml, sayable } from '../xml.ts'

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:camt.053.001.08'
const PIECE_CHARACTERS = 64 * 1024
/** Maximum of ActiveOrHistoricCurrencyAndAmount. */
const DIGITS_MAX = 18
const SERVICE = 'business-finance-service'

/**
 * Writes a statement; references are ids without hyphens, which would be too long. Throws `Unwritable` for used
 * accounts in coins, since the standard has codes of ISO 4217 only, and for amounts of more than 18 digits.
 */
export async function* camt053Of(report: Report): AsyncGenerator<Uint8Array> {
  const sections = report.sections.filter(({ account }) => account && !isCoin(account.currency))
  for (const section of report.sections) if (!sections.includes(section)) await requireUnused(section)
  let piece = headOf(report)
  for (const { account, pages } of sections.length > 0 ? sections : [nothing(report)]) {
    if (!account) throw new Error('a statement is of accounts')
    for await (const xml of statementOf(report, account, pages)) {
      piece += xml
      if (piece.length < PIECE_CHARACTERS) continue
      yield Buffer.from(piece)
      piece = ''
    }
  }
  yield Buffer.from(`${piece}</BkToCstmrStmt></Document>\n`)
}

/** Throws unless the account is empty and has no rows in the range. */
async function requireUnused({ account, rows }: Section): Promise<void> {
  const isUsed = [account?.opening, account?.closing].some((amount) => /[1-9]/.test(amount ?? ''))
  if (isUsed || (await rows()) > 0) {
    throw new Unwritable('format_not_supported', `camt.053 has no statement in ${account?.currency ?? 'no currency'}`)
  }
}

/** The empty statement of an organization without accounts: a file has at least one. */
const nothing = ({ organization }: Report): Pick<Section, 'account' | 'pages'> => ({
  account: { id: organization.id, currency: 'USD', opening: '0.00', closing: '0.00' },
  pages: none(),
})
async function* none(): AsyncGenerator<readonly Row[]> {}

/** Writes an element, or nothing if its text is empty. */
function element(name: string, text: string | null, max: number): string {
  const said = sayable(text ?? '').trim()
  return said && `<${name}>${escapeXml(cut(said, max))}</${name}>`
}
/** Cuts text by code points, as XML Schema counts. */
const cut = (text: string, max: number): string => (text.length <= max ? text : Array.from(text).slice(0, max).join(''))
const reference = (uuid: string): string => uuid.replaceAll('-', '')
/** Formats an instant to the millisecond: many readers refuse more digits. */
const instant = (iso: string): string => new Date(iso).toISOString()

function headOf({ id, at }: Report): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="${NAMESPACE}"><BkToCstmrStmt><GrpHdr><MsgId>${reference(id)}</MsgId><CreDtTm>${instant(at)}</CreDtTm></GrpHdr>
`
}

async function* statementOf(report: Report, account: Account, pages: Pages): AsyncGenerator<string> {
  const { id, at, from, to, organization } = report
  const { currency, opening, closing } = account
  const owner = element('Nm', organization.name, 140)
  // the id of a statement has 35 characters: that of the export begins it
  yield `<Stmt><Id>${reference(id).slice(0, 31)}-${currency}</Id><CreDtTm>${instant(at)}</CreDtTm>
<FrToDt><FrDtTm>${beginOf(from)}</FrDtTm><ToDtTm>${endOf(to)}</ToDtTm></FrToDt>
<Acct><Id><Othr><Id>${reference(account.id)}</Id></Othr></Id><Ccy>${currency}</Ccy><Ownr>${owner}</Ownr><Svcr><FinInstnId><Nm>${SERVICE}</Nm></FinInstnId></Svcr></Acct>
${balanceOf('OPBD', opening, currency, beginOf(from))}${balanceOf('CLBD', closing, currency, endOf(to))}`
  for await (const page of pages) for (const row of page) yield entryOf(row)
  yield '</Stmt>\n'
}

const beginOf = (from: string): string => instant(from)
const endOf = (to: string): string => (to.length === 10 ? `${to}T23:59:59.999Z` : instant(to))

/** Writes an amount without its sign. */
function amountOf(amount: string, currency: string): string {
  const digits = amount.replace(/^-/, '')
  if (digits.replace('.', '').length > DIGITS_MAX) throw new Unwritable('amount_too_large', 'camt.053 has 18 digits')
  return `<Amt Ccy="${currency}">${digits}</Amt>`
}

const indicatorOf = (amount: string): string => (amount.startsWith('-') ? 'DBIT' : 'CRDT')

const balanceOf = (
  code: string,
  amount: string,
  currency: string,
  iso: string,
): string => `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${amountOf(amount, currency)}<CdtDbtInd>${indicatorOf(amount)}</CdtDbtInd><Dt><Dt>${iso.slice(0, 10)}</Dt></Dt></Bal>
`

/** Writes an entry, with types of our feed as proprietary codes. */
function entryOf(row: Row): string {
  const { id, postedAt, occurredAt, type, direction, amount, currency, counterparty, description, paymentId } =
    lineOf(row)
  const [indicator, party] = direction === 'in' ? ['CRDT', 'Dbtr'] : ['DBIT', 'Cdtr']
  const money = `${amountOf(amount, currency)}<CdtDbtInd>${indicator}</CdtDbtInd>`
  const name = element('Nm', counterparty, 140)
  const parties = name && `<RltdPties><${party}><Pty>${name}</Pty></${party}></RltdPties>`
  const text = element('Ustrd', description, 140)
  const remittance = text && `<RmtInf>${text}</RmtInf>`
  const endToEnd = paymentId && `<EndToEndId>${reference(paymentId)}</EndToEndId>`
  return `<Ntry><NtryRef>${reference(id)}</NtryRef>${money}<Sts><Cd>BOOK</Cd></Sts><BookgDt><DtTm>${instant(postedAt)}</DtTm></BookgDt><ValDt><DtTm>${instant(occurredAt)}</DtTm></ValDt><AcctSvcrRef>${reference(id)}</AcctSvcrRef><BkTxCd><Prtry><Cd>${type}</Cd></Prtry></BkTxCd><NtryDtls><TxDtls><Refs><AcctSvcrRef>${reference(id)}</AcctSvcrRef>${endToEnd}</Refs>${money}${parties}${remittance}</TxDtls></NtryDtls></Ntry>
`
}
