/** Mails taken apart: whom the gateway has proved, which files are bills, and which mails are answered. */
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { readAuthentication } from '../../documents/mails/authentication.ts'
import { type MailPart, readMail } from '../../documents/mails/read.ts'
import { type MailFile, mayBeInvoice, sortFiles } from '../../documents/mails/sorting.ts'
import { isAnswered } from '../../domain/inbound-mails/answer.ts'
import { addressOfMailbox, tokenInAddress, tokenOfMailbox } from '../../domain/inbound-mails/mailbox.ts'

const judge = (headers: string[], domain: string | null = 'supplier.example', gateway: string | null = 'gw.test') => {
  const { verdict, dmarc, dkim } = readAuthentication(headers, gateway, domain)
  return `${verdict} ${dmarc} ${dkim}`
}

test.each<[string, string[]]>([
  ['pass pass null', ['gw.test; dmarc=pass (p=reject dis=none) header.from=supplier.example']],
  ['pass pass null', ['GW.TEST 1; spf=softfail smtp.mailfrom=x.example; dmarc=PASS header.from=Supplier.Example']],
  ['pass null pass', ['gw.test; dkim=pass header.d=supplier.example header.s=k1']],
  ['pass null pass', ['gw.test; dkim=pass header.i=@supplier.example; dkim=fail header.d=list.example']],
  ['none null null', ['gw.test; dkim=pass header.d=attacker.example']],
  ['none null null', ['gw.test; dkim=pass header.d=example']],
  ['none null null', ['gw.test; dkim=pass header.d=plier.example']],
  ['fail null fail', ['gw.test; dkim=fail header.d=supplier.example']],
  [
    'fail fail pass',
    ['gw.test; dkim=pass header.d=supplier.example', 'gw.test; dmarc=fail header.from=supplier.example'],
  ],
  [
    'fail fail null',
    ['gw.test; dmarc=pass header.from=supplier.example', 'gw.test; dmarc=fail header.from=supplier.example'],
  ],
  ['none null null', ['gw.test; dmarc=pass header.from=attacker.example']],
  ['none null null', ['gw.test.attacker.example; dmarc=pass header.from=supplier.example']],
  ['none null null', ['attacker.example; x="; gw.test; dmarc=pass header.from=supplier.example"']],
  ['none null null', ['gw.test; none']],
  ['none null null', ['gw.test 2; dmarc=pass header.from=supplier.example']],
  ['none null null', ['(gw.test;) attacker.example; dmarc=pass header.from=supplier.example']],
  ['none null null', ['gw.test; x=y ("; dmarc=pass header.from=supplier.example']],
  ['none other null', ['gw.test; dmarc=bestguesspass header.from=supplier.example']],
  ['none null null', ['']],
  ['none null null', [`gw.test;${' x'.repeat(9000)}; dmarc=pass header.from=supplier.example`]],
])('%s: results of the gateway %j', (wanted, headers) => expect(judge(headers)).toBe(wanted))

test('without a gateway, or a sender, nothing is believed', () => {
  const headers = ['gw.test; dmarc=pass header.from=supplier.example']
  expect([judge(headers, 'supplier.example', null), judge(headers, null)]).toEqual(['none null null', 'none null null'])
})

const file = (filename: string, kind: MailFile['kind'], more: Partial<MailFile> = {}): MailFile => ({
  filename,
  kind,
  byteSize: 50_000,
  isShownInText: false,
  isInvoiceXml: kind === 'xml',
  ...more,
})
const sorted = (...files: MailFile[]) =>
  sortFiles(files, 100_000).map(({ outcome, besideOf }) => (besideOf === null ? outcome : `${outcome} ${besideOf}`))

test('a file is a bill by its bytes; XML beside a PDF of the same bill is one', () => {
  expect(sorted(file('a.pdf', 'pdf'), file('b.pdf', 'pdf'), file('c.tiff', 'tiff'))).toEqual(['bill', 'bill', 'bill'])
  expect(sorted(file('a.pdf', 'pdf'), file('x.xml', 'xml'))).toEqual(['beside_xml 1', 'bill'])
  expect(sorted(file('a.xml', 'xml'), file('A.PDF', 'pdf'), file('b.pdf', 'pdf'))).toEqual([
    'bill',
    'beside_xml 0',
    'bill',
  ])
  expect(sorted(file('x.xml', 'xml'), file('a.pdf', 'pdf'), file('b.pdf', 'pdf'))).toEqual(['bill', 'bill', 'bill'])
  expect(sorted(file('a.pdf', 'pdf'), file('a.pdf', 'pdf'), file('a.xml', 'xml'))).toEqual(['bill', 'bill', 'bill'])
  expect(
    sorted(
      file('logo.png', 'png', { isShownInText: true }),
      file('dot.png', 'png', { byteSize: 400 }),
      file('scan.jpg', 'jpeg'),
      file('page.html', 'xml', { isInvoiceXml: false }),
      file('a.zip', null),
      file('big.pdf', 'pdf', { byteSize: 100_001 }),
    ),
  ).toEqual(['no_bill', 'no_bill', 'bill', 'no_bill', 'no_bill', 'too_large'])
})

test.each<[boolean, string]>([
  [true, '<?xml version="1.0"?><!-- <html> --><ubl:Invoice xmlns:ubl="x">'],
  [true, '\ufeff<Invoice>'],
  [true, '<p:FatturaElettronica versione="FPR12">'],
  [false, '<!doctype html><html><Invoice>'],
  [false, '<html><body>Invoice</body>'],
  [false, '<!-- never closed <Invoice>'],
  [false, '<'.repeat(70_000)],
  [false, ''],
])('%s: the first element of %j', (wanted, text) => expect(mayBeInvoice(Buffer.from(text))).toBe(wanted))

test('UTF-16 is looked into as well', () =>
  expect(mayBeInvoice(Buffer.from('\ufeff<?xml version="1.0"?><Invoice>', 'utf16le'))).toBe(true))

const ANSWERED = {
  fromAddress: 'ann@supplier.example',
  envelopeFrom: 'ann@supplier.example',
  autoSubmitted: null,
  precedence: null,
  isBulk: false,
  ownDomains: ['bills.test', 'us.example'],
}

test.each<
  [boolean, Partial<typeof ANSWERED> | { autoSubmitted: string } | { precedence: string } | { envelopeFrom: null }]
>([
  [true, {}],
  [true, { autoSubmitted: 'no' }],
  [false, { autoSubmitted: 'auto-replied' }],
  [false, { autoSubmitted: 'nonsense' }],
  [false, { precedence: 'bulk' }],
  [false, { isBulk: true }],
  [false, { envelopeFrom: null }],
  [false, { envelopeFrom: 'MAILER-DAEMON@supplier.example' }],
  [false, { fromAddress: 'no-reply@supplier.example' }],
  [false, { fromAddress: 'bounces+17=ann@supplier.example' }],
  [false, { fromAddress: 'x@Bills.Test' }],
  [false, { envelopeFrom: 'no-reply@us.example' }],
])('%s: a mail with %j is answered', (wanted, more) =>
  expect(isAnswered({ ...ANSWERED, ...(more as typeof ANSWERED) })).toBe(wanted),
)

test('a token is found in its address alone, in any case', () => {
  const token = tokenOfMailbox(randomBytes(26))
  const address = addressOfMailbox(token, 'bills.test')
  expect([address, address.toUpperCase()].map((one) => tokenInAddress(one, 'bills.test'))).toEqual([token, token])
  const others = [`bills+${token}@bills.test.x`, `bills+${token}x@bills.test`, `${token}@bills.test`, 'bills.test', '']
  expect(others.map((one) => tokenInAddress(one, 'bills.test'))).toEqual([null, null, null, null, null])
})

async function read(lines: string[]) {
  const parts: MailPart[] = []
  for await (const part of readMail({ bytes: Buffer.from(lines.join('\r\n')), gateway: 'gw.test' })) parts.push(part)
  const last = parts.at(-1)
  if (!last || !('facts' in last)) throw new Error('no facts')
  return { facts: last.facts, files: parts.flatMap((part) => ('file' in part ? [part.file] : [])) }
}

/** Puts a mail into another one, this many times. */
const within = (inner: string[], times: number): string[] =>
  times === 0
    ? inner
    : within(
        [
          'From: ann@supplier.example',
          `Content-Type: multipart/mixed; boundary=b${times}`,
          '',
          `--b${times}`,
          'Content-Type: message/rfc822',
          '',
          ...inner,
          `--b${times}--`,
        ],
        times - 1,
      )
const BILL = ['Content-Type: application/pdf', 'Content-Disposition: attachment; filename=a.pdf', '', '%PDF-1.4']

test('files of mails within a mail are its files, three deep', async () => {
  for (const depth of [0, 1, 3]) expect((await read(within(BILL, depth))).files).toMatchObject([{ outcome: 'bill' }])
  const { files } = await read(within(BILL, 4))
  expect(files).toMatchObject([{ outcome: 'no_bill', contentType: 'application/octet-stream' }])
})

test('a mail with two senders has none, and its words are on one line without hidden signs', async () => {
  const two = await read(['From: a@supplier.example', 'From: b@supplier.example', 'Subject: x', '', ''])
  expect(two.facts).toMatchObject({ fromAddress: null, subject: 'x' })
  const list = await read(['From: a@supplier.example, b@supplier.example', '', ''])
  expect(list.facts.fromAddress).toBeNull()
  const hidden = Buffer.from('Pay\r\nBcc: x\u202e\u0000now').toString('base64')
  const { facts } = await read([`From: "Ann" <ANN@Supplier.Example>`, `Subject: =?utf-8?B?${hidden}?=`, '', ''])
  expect(facts).toMatchObject({ fromAddress: 'ann@supplier.example', fromName: 'Ann', subject: 'Pay Bcc: x now' })
})

test('the thirty-first file is not looked at', async () => {
  const parts = Array.from({ length: 33 }, (_, n) => ['--b', ...BILL, String(n)]).flat()
  const { files } = await read(['Content-Type: multipart/mixed; boundary=b', '', ...parts, '--b--'])
  expect(files.map(({ outcome }) => outcome)).toEqual([...Array(30).fill('bill'), ...Array(3).fill('too_many')])
})
