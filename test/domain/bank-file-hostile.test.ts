/** Hostile and broken files of a bank: each is refused exactly, in bounded time and memory. */
import { describe, expect, test } from 'vitest'
import { UnreadableBankFile, readBankFile } from '../../documents/reading/bank-files.ts'
import { readText, refusalOf } from '../support/bank-files/reading.ts'
import { CREDIT, balance, entry, notification, statement, statements } from '../support/bank-files/samples.ts'

const WHOLE = statements(statement(balance('OPBD', '0') + balance('CLBD', '100') + entry({ details: CREDIT })))
const ROOT = /<BkToCstmrStmt>/
const inside = (content: string) => WHOLE.replace(ROOT, `$&${content}`)
const headed = (head: string) => WHOLE.replace('<Document', `${head}<Document`)
const LAUGHS = Array.from({ length: 9 }, (_, at) => `<!ENTITY b${at} "&a;&a;">`).join('')
const OUTSIDE = '<!ENTITY x SYSTEM "file:///etc/passwd">'
const VERSION = 'The file is a message, or a version of one, that is not read here.'
const DTD = 'The XML has a document type definition.'

describe('refused', () => {
  test.each([
    ['a billion laughs', headed(`<!DOCTYPE Document [<!ENTITY a "ha">${LAUGHS}]>`), DTD],
    ['an external entity', headed(`<!DOCTYPE Document [${OUTSIDE}]>`).replace('S1', '&x;'), DTD],
    ['an entity of nobody', WHOLE.replace('S1', '&x;'), 'The XML is damaged in line 3.'],
    ['100,000 elements in each other', inside('<a>'.repeat(100_000)), 'The XML is more than 64 elements deep.'],
    ['a value of 2 MB', inside(`<a>${'x'.repeat(2_000_000)}</a>`), 'The XML has a single value of more than 1 MB.'],
    [
      'an attribute of 100 KB',
      inside(`<a b="${'x'.repeat(100_000)}"/>`),
      'The XML has an attribute of more than 64 KB.',
    ],
    ['nothing', '', 'The XML is damaged in line 1.'],
    ['a page', '<html xmlns="http://www.w3.org/1999/xhtml"/>', 'The file is no message of ISO 20022.'],
    ['a message without namespace', WHOLE.replace(/ xmlns="[^"]*"/, ''), VERSION],
    ['a file of payments', WHOLE.replace('camt.053.001.08', 'pain.001.001.09'), VERSION],
    ['a version of later years', WHOLE.replace('camt.053.001.08', 'camt.053.001.13'), VERSION],
    [
      'a notification under the name of a statement',
      notification(entry()).replace('camt.054', 'camt.053'),
      'Document has not one BkToCstmrStmt.',
    ],
    [
      'two messages in one',
      WHOLE.replace('</Document>', '<BkToCstmrStmt/></Document>'),
      'Document has not one BkToCstmrStmt.',
    ],
    ['two documents', `<a>${WHOLE.replace(/^.*\n/, '').repeat(2)}</a>`, 'The file has more than one message.'],
    ['no account', WHOLE.replace(/<Stmt>.*<\/Stmt>/s, ''), 'BkToCstmrStmt has no account.'],
    ['no header', WHOLE.replace(/<GrpHdr>.*<\/GrpHdr>/, ''), 'GrpHdr is missing.'],
    ['elements in a text', WHOLE.replace('S1', '<b>S1</b>'), 'Report 1: Id has elements in place of text.'],
    [
      'an encoding of nobody',
      WHOLE.replace('UTF-8', 'EBCDIC-CP-FR'),
      'The XML is in an encoding that is not read here.',
    ],
    [
      'UTF-16 by its declaration alone',
      WHOLE.replace('UTF-8', 'UTF-16'),
      'The XML is not in the encoding that it declares.',
    ],
    [
      'bytes that are no UTF-8',
      Buffer.from(WHOLE.replace('Payer', 'Pay\xe9r'), 'latin1'),
      'The XML is not in the encoding that it declares.',
    ],
    [
      '110,001 entries',
      statements(
        statement('<Ntry><Amt Ccy="EUR">1</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts></Ntry>'.repeat(110_001)),
      ),
      'The file has more than 110000 entries and transactions.',
    ],
  ])('%s', (_, file, reason) => expect(refusalOf(file)).toBe(reason))

  test('a file cut at any byte', () => {
    const bytes = Buffer.from(WHOLE)
    const reasons = new Set<string>()
    for (let at = 0; at < bytes.length; at += 1) reasons.add(refusalOf(bytes.subarray(0, at)).replace(/\d+/, 'N'))
    expect([...reasons]).toEqual(['The XML is damaged in line N.'])
  })
})

describe('read alike', () => {
  const expected = readText(WHOLE)
  const prefixed = WHOLE.replaceAll(/<(\/?)(\w+)/g, '<$1b:$2')
    .replace('xmlns=', 'xmlns:b=')
    .replace('b:xml', 'xml')
  const foreign = '<x:Ntry xmlns:x="urn:other"><x:Amt>1</x:Amt></x:Ntry>'
  test.each<[string, string | Uint8Array]>([
    ['another prefix', prefixed],
    ['a byte order mark', `\uFEFF${WHOLE}`],
    ['UTF-16, little end first', Buffer.from(`\uFEFF${WHOLE.replace('UTF-8', 'UTF-16')}`, 'utf16le')],
    ['UTF-16, big end first', Buffer.from(`\uFEFF${WHOLE.replace('UTF-8', 'UTF-16')}`, 'utf16le').swap16()],
    ['Latin 1', Buffer.from(WHOLE.replace('UTF-8', 'ISO-8859-1'), 'latin1')],
    ['an envelope', `<e:Env xmlns:e="urn:e"><e:Hdr/>${WHOLE.replace(/^.*\n/, '')}</e:Env>`],
    ['elements of others', WHOLE.replace('</Stmt>', `${foreign}</Stmt>`)],
    ['blanks and comments', WHOLE.replaceAll('><', '>\n  <!-- -->\n<')],
  ])('%s', (_, file) => expect(readText(file)).toEqual(expected))

  test('elements of entries in a place of their own are none', () => {
    const own = '<SplmtryData><Envlp><Ntry><Amt>x</Amt></Ntry></Envlp></SplmtryData>'
    expect(readText(WHOLE.replace('</BkToCstmrStmt>', `${own}</BkToCstmrStmt>`))).toEqual(expected)
  })
})

describe('in a process of its own', () => {
  const refusedAs = (bytes: Uint8Array) =>
    readBankFile(bytes).catch((error: unknown) => error instanceof UnreadableBankFile && error.reason)

  test('a file is read, and a refusal says why', async () => {
    expect((await readBankFile(Buffer.from(WHOLE))).messages).toEqual(readText(WHOLE))
    expect(await refusedAs(Buffer.from('hello'))).toBe('The XML is damaged in line 1.')
  })

  test('200 MB are not even sent there', async () =>
    expect(await refusedAs(Buffer.alloc(200_000_000, ' '))).toBe('It has more than 50 MB.'))

  test('50 MB of tags end the process, and nothing else', async () =>
    expect(await refusedAs(Buffer.from(inside('<a/>'.repeat(5_000_000))))).toMatch(
      /^(?:The XML has more than 4000000 elements\.|It takes too much time or memory\.)$/,
    ))

  test('a statement of 5,000 payments is read', async () => {
    const many = statements(statement(entry({ details: CREDIT }).repeat(5_000)))
    const [report] = (await readBankFile(Buffer.from(many))).messages
    expect(report?.kind === 'statement' && report.entries.length).toBe(5_000)
  })
})
