/** Hostile XML of bills cannot harm its reader. */
import { describe, expect, test } from 'vitest'
import { readXml } from '../../documents/bills/xml/read.ts'
import { UnreadableBill } from '../../domain/bills/reader.ts'
import { electronic } from '../../dev/sample-bills/electronic.ts'
import { billOf } from '../../dev/sample-bills/random.ts'
import { valueOf } from '../support/bills/readings.ts'
import { everyNth } from '../support/model-runs.ts'

const SUPPLIER = 'Façades & Toitures Réunies SA'
const MODEL = billOf(2, 'fr', { seller: { ...billOf(2, 'fr').seller, name: SUPPLIER } })
const NUMBER = MODEL.number
const BILL = electronic(MODEL, 'ubl-peppol')
const CII = electronic(MODEL, 'cii-en16931')
const refusal = (xml: string | Uint8Array) => {
  try {
    return readXml(typeof xml === 'string' ? Buffer.from(xml) : xml, 'file').method
  } catch (error) {
    if (!(error instanceof UnreadableBill)) throw error
    return error.code
  }
}
/** Puts something before the root, or into it as its first child. */
const headed = (head: string) => BILL.replace(/\n</, `\n${head}<`)
const inside = (content: string) => BILL.replace(/(<Invoice[^>]*>)/, `$1${content}`)
const times = (count: number, of: (index: number) => string) =>
  Array.from({ length: count }, (_, at) => of(at)).join('')

const LAUGHS = times(9, (at) => `<!ENTITY b${at} "&a;&a;">`)
const EXTERNAL = '<!ENTITY x SYSTEM "file:///etc/passwd">'

/** Each is as long as a file may be, and takes a second to read. */
const LARGE: [name: string, xml: string][] = [
  ['an attribute of 10 MB', inside(`<a b="${'x'.repeat(9_900_000)}"/>`)],
  ['a value of 9 MB', inside(`<cbc:Note>${'x'.repeat(9_000_000)}</cbc:Note>`)],
  ['a comment of 9 MB', inside(`<!--${'-x'.repeat(4_500_000)}-->`)],
  ['a name of 9 MB', inside(`<${'x'.repeat(9_000_000)}/>`)],
]

describe('refused, with the reason', () => {
  test.each([
    ['a billion laughs', headed(`<!DOCTYPE Invoice [<!ENTITY a "ha">${LAUGHS}]>`)],
    ['an external entity', headed(`<!DOCTYPE Invoice [${EXTERNAL}]>`).replace(NUMBER, '&x;')],
    ['a parameter entity', headed('<!DOCTYPE Invoice [<!ENTITY % x SYSTEM "http://127.0.0.1/x"> %x;]>')],
    ['an external document type', headed('<!DOCTYPE Invoice SYSTEM "http://127.0.0.1/x.dtd">')],
    ['an inclusion', inside('<x:include xmlns:x="http://www.w3.org/2001/XInclude" href="file:///etc/passwd"/>')],
    ['100,000 elements in each other', inside('<a>'.repeat(100_000) + '</a>'.repeat(100_000))],
    ['100,000 elements in each other that do not end', '<a>'.repeat(100_000)],
    ['10,000 attributes', inside(`<a ${times(10_000, (at) => `b${at}="" `)}/>`)],
    ['10,000 namespaces', inside(`<a ${times(10_000, (at) => `xmlns:b${at}="u" `)}/>`)],
    ...everyNth(LARGE, 4),
  ])('%s is hostile', (_, xml) => expect(refusal(xml)).toBe('hostile'))

  test.each([
    ['no XML', 'hello'],
    ['nothing', ''],
    ['a root that does not end', BILL.slice(0, -20)],
    ['two roots', BILL + BILL.replace(/^.*\n/, '')],
    ['an entity that nobody declared', BILL.replace(NUMBER, '&nbsp;')],
    ['NUL', BILL.replace(NUMBER, 'a\0b')],
    ['NUL by its number', BILL.replace(NUMBER, '&#0;')],
    ['a control character', BILL.replace(NUMBER, '\x08')],
    ['an attribute twice', inside('<a b="1" b="2"/>')],
    ['an attribute twice by two prefixes', inside('<a xmlns:c="u" xmlns:d="u" c:b="1" d:b="2"/>')],
    ['a prefix without a namespace', inside('<x:a/>')],
    ['bytes that are no UTF-8', Buffer.concat([Buffer.from(BILL), Buffer.from('<!--\xe9-->', 'latin1')])],
    ['UTF-16 by its declaration alone', BILL.replace('UTF-8', 'UTF-16')],
    ['UTF-8 by its declaration alone', Buffer.from(BILL, 'utf16le')],
    ['a mark of UTF-8 before Latin 1', `\uFEFF${BILL.replace('UTF-8', 'ISO-8859-1')}`],
    ['an encoding of nobody', BILL.replace('UTF-8', 'EBCDIC-CP-FR')],
    ['UTF-32', Buffer.from(Array.from('<a/>', (sign) => [sign.charCodeAt(0), 0, 0, 0]).flat())],
  ])('%s is damaged', (_, xml) => expect(refusal(xml)).toBe('damaged'))

  test.each([
    ['an order of Order-X', 'not_a_bill', '<a xmlns="urn:un:unece:uncefact:data:SCRDMCCBDACIOMessageStructure:100"/>'],
    ['an order of UBL', 'not_a_bill', '<Order xmlns="urn:oasis:names:specification:ubl:schema:xsd:Order-2"/>'],
    ['a page', 'unknown_format', '<html xmlns="http://www.w3.org/1999/xhtml"/>'],
    ['an invoice without its namespace', 'unknown_format', '<Invoice><ID>1</ID></Invoice>'],
    ['a picture', 'unknown_format', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['one id twice', 'ambiguous', inside('<a xml:id="x"/><a xml:id="x"/>')],
    ['two sums', 'ambiguous', BILL.replace(/<cac:LegalMonetaryTotal>.*<\/cac:LegalMonetaryTotal>/, '$&$&')],
    ['two sellers', 'ambiguous', CII.replace(/<ram:SellerTradeParty>.*<\/ram:SellerTradeParty>/, '$&$&')],
    ['more than 10 MB', 'too_large', `${BILL}${' '.repeat(10 * 1024 * 1024)}`],
    ['more than 300,000 elements', 'too_large', inside('<a/>'.repeat(300_000))],
  ])('%s is %s', (_, code, xml) => expect(refusal(xml)).toBe(code))

  test('a reason says nothing that stands in the file', () =>
    expect(() => readXml(Buffer.from('<secret:a/>'), 'file')).toThrow(/^The XML is damaged in line 1\.$/))
})

describe('read as it is', () => {
  const bigEndian = (text: string) => Buffer.from(text, 'utf16le').swap16()
  const utf16 = BILL.replace('UTF-8', 'UTF-16')
  const inLatin1 = BILL.replaceAll(/[\u0100-\uffff]/g, '?')

  test.each([
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${BILL}`)],
    ['UTF-8 without a declaration', Buffer.from(BILL.replace(/^.*\n/, ''))],
    ['UTF-16 with a mark', Buffer.from(`\uFEFF${utf16}`, 'utf16le')],
    ['UTF-16 of the other order', bigEndian(`\uFEFF${utf16}`)],
    ['UTF-16 without a mark', Buffer.from(utf16, 'utf16le')],
    ['Windows-1252', Buffer.from(inLatin1.replace('UTF-8', 'windows-1252'), 'latin1')],
    ['Latin 1', Buffer.from(inLatin1.replace('UTF-8', 'iso-8859-1'), 'latin1')],
  ])('%s', (_, bytes) => expect(valueOf(readXml(bytes, 'file'), 'supplier_name')).toBe(SUPPLIER))

  test('signs of XML, sections of text, comments and other prefixes change nothing', () => {
    const written = BILL.replaceAll('cbc:', 'b:').replace('xmlns:cbc', 'xmlns:b').replace('xmlns:b:', 'xmlns:b')
    const changed = written.replace(`<b:ID>${NUMBER}<`, `<b:ID><![CDATA[A<1]]>&amp;<!-- no -->&#50;<?x y?><`)
    expect(valueOf(readXml(Buffer.from(changed), 'file'), 'bill_number')).toBe('A<1&2')
  })
})
