/** Mails that strangers write to break what reads them, by seed. */
import { deflateRawSync } from 'node:zlib'
import { numbersFrom } from './chaos/random.ts'

type Random = (limit: number) => number
type Part = readonly [headers: string, body: Buffer | string]

const NL = '\r\n'
const OWN = 'bills.test'

const head = (headers: readonly string[]): string => headers.map((line) => `${line}${NL}`).join('')
const attachment = (filename: string, type: string, bytes: Buffer): Part => [
  head([
    `Content-Type: ${type}`,
    `Content-Disposition: attachment; filename="${filename}"`,
    'Content-Transfer-Encoding: base64',
  ]),
  (bytes.toString('base64').match(/.{1,76}/g) ?? []).join(NL),
]

function multipart(headers: readonly string[], parts: readonly Part[], boundary = 'b0undary'): Buffer {
  const inner = parts.flatMap(([own, body]) => [`--${boundary}${NL}${own}${NL}`, body, NL])
  const begin = head([...headers, 'MIME-Version: 1.0', `Content-Type: multipart/mixed; boundary="${boundary}"`])
  return Buffer.concat([begin + NL, ...inner, `--${boundary}--${NL}`].map((one) => Buffer.from(one as string)))
}

const XML_BOMB = Buffer.from(
  `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "${'a'.repeat(50)}">${Array.from({ length: 9 }, (_, n) => `<!ENTITY a${n} "${`&a${n ? n - 1 : ''};`.repeat(10)}">`).join('')}]><Invoice>&a8;</Invoice>`,
)
const ZIP_BOMB = Buffer.concat([Buffer.from('504b0304', 'hex'), deflateRawSync(Buffer.alloc(8 * 1024 * 1024))])
const PDF = Buffer.from(
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Count 0/Kids[]>>endobj\n',
)
const OPENED_BY_PROGRAM = Buffer.from('%PDF-1.4\n1 0 obj<</OpenAction<</S/Launch/F(cmd.exe)>>>>endobj\n')

const senderOf = (random: Random) => `u${random(1_000_000)}@s${random(1000)}.example`
const noise = (random: Random, length: number) => Buffer.from(Array.from({ length }, () => random(256)))

/** Puts a mail into a mail, this many times, without any copy of what is inside. */
function nested(from: string, depth: number): Buffer {
  const begins = Array.from(
    { length: depth },
    (_, n) =>
      head([`From: ${from}`, `Content-Type: multipart/mixed; boundary="n${n}"`]) +
      `${NL}--n${n}${NL}Content-Type: message/rfc822${NL}${NL}`,
  )
  return Buffer.from(`${begins.join('')}From: ${from}${NL}${NL}the end`)
}

/** Ways of a stranger, each with a mail of this seed. */
const WAYS: Readonly<Record<string, (from: string, random: Random) => Buffer>> = {
  nested: (from, random) => nested(from, 1 + random(120)),
  parts_within_parts: (from, random) => {
    const depth = 10 + random(400)
    const begins = Array.from(
      { length: depth },
      (_, n) => `Content-Type: multipart/mixed; boundary="p${n}"${NL}${NL}--p${n}${NL}`,
    )
    return Buffer.from(`From: ${from}${NL}${begins.join('')}${NL}deep`)
  },
  many_parts: (from, random) =>
    multipart(
      [`From: ${from}`],
      Array.from({ length: 20 + random(1200) }, (_, n) => attachment(`${n}.txt`, 'text/plain', Buffer.from('x'))),
    ),
  zip_bomb: (from) =>
    multipart(
      [`From: ${from}`],
      [attachment('bill.pdf', 'application/pdf', ZIP_BOMB), attachment('b.zip', 'application/zip', ZIP_BOMB)],
    ),
  xml_bomb: (from) => multipart([`From: ${from}`], [attachment('bill.xml', 'application/xml', XML_BOMB)]),
  program: (from) => multipart([`From: ${from}`], [attachment('bill.pdf', 'application/pdf', OPENED_BY_PROGRAM)]),
  empty_pdf: (from) => multipart([`From: ${from}`], [attachment('bill.pdf', 'application/pdf', PDF)]),
  wrong_encodings: (from, random) =>
    multipart(
      [
        `From: ${from}`,
        `Subject: =?x-none?B?${noise(random, 40)
          .toString('latin1')
          .replaceAll(/[\r\n]/g, '')}?= =?utf-8?Q?=ZZ=E2=82?=`,
      ],
      [
        [head(['Content-Type: text/html; charset="utf-99\u00ff"', 'Content-Transfer-Encoding: base64']), '====@@@@=x='],
        [
          head(['Content-Type: text/plain; charset=utf-16', 'Content-Transfer-Encoding: quoted-printable']),
          '=\0=GG=F0=9F=\r\n=0',
        ],
        [
          head([
            'Content-Type: application/pdf',
            'Content-Transfer-Encoding: x-uuencode',
            'Content-Disposition: attachment',
          ]),
          noise(random, 200),
        ],
      ],
    ),
  spoofed_results: (from, random) => {
    const domain = from.slice(from.indexOf('@') + 1)
    const forged = [
      `evil.example; dmarc=pass header.from=${domain}`,
      `gateway.test.evil.example; dmarc=pass header.from=${domain}`,
      `evil.example (\\"gateway.test\\"); dmarc=pass header.from=${domain}`,
      `${'('.repeat(2000)} gateway.test; dmarc=pass`,
      `"gateway.test; dmarc=pass header.from=${domain}`,
      `gateway.test; ${'dkim=pass header.d=evil.example;'.repeat(300)}`,
    ]
    return multipart(
      [`Authentication-Results: ${forged[random(forged.length)]}`, `From: ${from}`],
      [attachment('bill.pdf', 'application/pdf', PDF)],
    )
  },
  spoofed_sender: (from, random) => {
    const lists = [
      `From: ${Array.from({ length: 1 + random(1500) }, (_, n) => `a${n}@x.example`).join(', ')}`,
      `From: ${from}${NL}From: boss@${OWN}`,
      'From: "boss@bills.test" <@,,@@;:>;;group:a@b,c@d;',
      `From: =?utf-8?B?${Buffer.from(`x\r\nBcc: all@${OWN}\0`).toString('base64')}?= <${from}>`,
      'From:',
      `X-No-Sender: ${from}`,
    ]
    return multipart([lists[random(lists.length)] ?? '', `Message-ID: <same@${OWN}>`], [])
  },
  loop: (from, random) => {
    const marks = [
      'Auto-Submitted: auto-replied',
      'Precedence: bulk',
      `List-Id: <l.${OWN}>`,
      'X-Loop: yes',
      `Return-Path: <>`,
    ]
    const hops = Array.from(
      { length: random(120) },
      (_, n) => `Received: from a${n} by b${n}; Mon, 30 Nov 2026 10:00:00 +0000`,
    )
    return multipart([...hops, marks[random(marks.length)] ?? '', `From: MAILER-DAEMON@${OWN}`, `Subject: ${from}`], [])
  },
  header_flood: (from, random) =>
    Buffer.from(
      `From: ${from}${NL}${Array.from({ length: 100 + random(30_000) }, (_, n) => `X-${n}: y${NL}`).join('')}${NL}x`,
    ),
  long_header: (from, random) =>
    Buffer.from(`From: ${from}${NL}Subject: ${'x'.repeat(1000 * (1 + random(1500)))}${NL}${NL}x`),
  folded_header: (from, random) =>
    Buffer.from(`From: ${from}${NL}Subject: x${`${NL} y`.repeat(100 + random(20_000))}${NL}${NL}x`),
  bad_names: (from, random) =>
    multipart(
      [`From: ${from}`],
      [
        attachment(`../../${'x'.repeat(random(3000))}\u202efdp.exe`, 'application/pdf', PDF),
        [
          head([
            `Content-Disposition: attachment;${Array.from({ length: 200 }, (_, n) => ` filename*${n}*=%F0%9F%ZZ;`).join('')}`,
          ]),
          PDF,
        ],
      ],
    ),
  open_boundary: (from, random) =>
    Buffer.from(
      `From: ${from}${NL}Content-Type: multipart/mixed; boundary="${'-'.repeat(random(70))}(a+)+$"${NL}${NL}${'--'.repeat(random(5000))}${NL}x`,
    ),
  html: (from, random) =>
    Buffer.from(`From: ${from}${NL}Content-Type: text/html${NL}${NL}${'<div>'.repeat(1000 * random(100))}`),
  noise: (_, random) => noise(random, random(4000)),
  nothing: () => Buffer.alloc(0),
}

export type HostileMail = { readonly way: string; readonly from: string; readonly raw: Buffer }

/** Makes hostile mails, each way as often as any other. The same seed makes the same ones. */
export function* hostileMails(seed: number, count: number): Generator<HostileMail> {
  const random = numbersFrom(seed)
  const ways = Object.entries(WAYS)
  for (let n = 0; n < count; n += 1) {
    const [way, write] = ways[n % ways.length] ?? ['nothing', () => Buffer.alloc(0)]
    const from = senderOf(random)
    // each is another mail, also where the way has no choice
    yield {
      way,
      from,
      raw: Buffer.concat([Buffer.from(way === 'noise' ? '' : `X-Number: ${seed}-${n}${NL}`), write(from, random)]),
    }
  }
}
