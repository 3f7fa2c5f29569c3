/** Statements as OFX 2.2 (Open Financial Exchange, XML): what Xero and QuickBooks import; an account for each currency. */
import { type Account, type Line, type Report, lineOf } from '../../domain/exports/report.ts'
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
  shorten,
  statementsOf,
  toSecond,
} from './accounts.ts'
import { codesOf } from './codes.ts'

/** Writes a file. Throws `Unwritable` for used accounts in coins. */
export const ofxOf = (report: Report): AsyncGenerator<Uint8Array> => inPieces(documentOf(report))

const STATUS = '<STATUS><CODE>0</CODE><SEVERITY>INFO</SEVERITY></STATUS>'

async function* documentOf(report: Report): AsyncGenerator<string> {
  const statements = await statementsOf(report)
  yield `<?xml version="1.0" encoding="UTF-8"?>
<?OFX OFXHEADER="200" VERSION="220" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?>
<OFX><SIGNONMSGSRSV1><SONRS>${STATUS}<DTSERVER>${instantOf(report.at)}</DTSERVER><LANGUAGE>ENG</LANGUAGE><FI><ORG>${SERVICE}</ORG></FI></SONRS></SIGNONMSGSRSV1><BANKMSGSRSV1>
`
  for (const [index, statement] of statements.entries()) yield* statementOf(report, statement, index)
  yield '</BANKMSGSRSV1></OFX>\n'
}

/** Writes an instant in UTC. */
const instantOf = (iso: string): string => `${toSecond(iso).replaceAll(/[-:TZ]/g, '')}[0:GMT]`
/** Writes a day as its noon in UTC: it is the same day wherever it is imported, but in the far Pacific. */
const noonOf = (iso: string): string => instantOf(`${iso.slice(0, 10)}T12:00:00Z`)

/** Writes an element whose text is shortened; nothing without text. */
function element(name: string, text: string, max: number): string {
  const said = shorten(sayable(text).replaceAll(/\s+/gu, ' ').trim(), max)
  return said && `<${name}>${toAscii(escapeXml(said))}</${name}>`
}

/** Writes characters above ASCII as references: readers of ledgers take the file for ASCII, and end at an umlaut. */
const toAscii = (xml: string): string => xml.replaceAll(/[\u0080-\u{10ffff}]/gu, (sign) => `&#${sign.codePointAt(0)};`)

async function* statementOf(report: Report, { account, pages }: Statement, index: number): AsyncGenerator<string> {
  const { currency, opening, closing } = account
  const { instant: end } = endOf(report)
  yield `<STMTTRNRS><TRNUID>${index}</TRNUID>${STATUS}<STMTRS><CURDEF>${currency}</CURDEF>${accountOf(account)}
<BANKTRANLIST><DTSTART>${instantOf(report.from)}</DTSTART><DTEND>${instantOf(end)}</DTEND>
`
  for await (const page of pages) yield page.map((row) => transactionOf(lineOf(row))).join('')
  const before = `<BAL><NAME>Opening balance</NAME><DESC>Before the first transaction</DESC><BALTYPE>DOLLAR</BALTYPE><VALUE>${opening}</VALUE><DTASOF>${instantOf(report.from)}</DTASOF></BAL>`
  yield `</BANKTRANLIST><LEDGERBAL><BALAMT>${closing}</BALAMT><DTASOF>${instantOf(end)}</DTASOF></LEDGERBAL><BALLIST>${before}</BALLIST></STMTRS></STMTTRNRS>
`
}

/** An account has 22 characters, and its bank 9. */
const [ACCOUNT_CHARACTERS, BANK_CHARACTERS] = [22, 9]

/** Identifies account and bank: the end of IBAN, number or our id; the first part of the BIC. */
function accountOf(account: Account): string {
  const { bank } = account
  const number = readIban(bank?.iban ?? null) ?? numberOf(account)
  const institution = readBic(bank?.bic ?? null)?.slice(0, 8) ?? 'BFS'
  return `<BANKACCTFROM>${element('BANKID', institution, BANK_CHARACTERS)}${element('ACCTID', number.slice(-ACCOUNT_CHARACTERS), ACCOUNT_CHARACTERS)}<ACCTTYPE>CHECKING</ACCTTYPE></BANKACCTFROM>`
}

/** Characters of a name and of a reference; longer ones are whole in the memo. */
const [NAME_CHARACTERS, REFERENCE_CHARACTERS] = [32, 32]
const cutName = (name: string): string => Array.from(name).slice(0, NAME_CHARACTERS).join('')
const isReference = (number: string): boolean => Array.from(number).length <= REFERENCE_CHARACTERS

function transactionOf(line: Line): string {
  const { id, postedAt, type, direction, amount, counterparty, description, reference, invoiceNumber } = line
  const said = describe(type, description)
  const name = type === 'fee' ? said : counterparty || said || type
  const number = invoiceNumber || reference
  const whole = name !== said && Array.from(name).length > NAME_CHARACTERS ? name : ''
  const memo = [whole, said, invoiceNumber, reference === description ? '' : reference].filter(Boolean).join(' · ')
  return `<STMTTRN><TRNTYPE>${codesOf(line).ofx}</TRNTYPE><DTPOSTED>${noonOf(postedAt)}</DTPOSTED><TRNAMT>${direction === 'in' ? '' : '-'}${amount}</TRNAMT><FITID>${id}</FITID>${element('REFNUM', isReference(number) ? number : '', REFERENCE_CHARACTERS)}${element('NAME', cutName(name), NAME_CHARACTERS)}${element('MEMO', memo, 255)}</STMTTRN>
`
}
