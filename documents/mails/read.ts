/** Mails, taken apart in the process that may be ended: headers, and files, also those of mails within. */
import { createHash } from 'node:crypto'
import { type Attachment, type ParsedMail, simpleParser } from 'mailparser'
import { DOCUMENT_BYTES_MAX, type DocumentType } from '../../domain/files/file.ts'
import { partsOf } from '../../domain/inbound-mails/answer.ts'
import type { Authentication } from '../../domain/inbound-mails/inbound-mail.ts'
import { onOneLine } from '../../domain/text.ts'
import { type Kind, kindOf } from '../reading/kinds.ts'
import { nextStep } from '../reading/limits.ts'
import { readAuthentication } from './authentication.ts'
import { type MailFile, type SortedFile, mayBeInvoice, sortFiles } from './sorting.ts'

export type MailTask = {
  readonly bytes: Uint8Array
  /** Id of the gateway whose results are believed; null: of none. */
  readonly gateway: string | null
}

/** Facts that a mail states about itself: words of a stranger, on one line and cut. */
export type MailFacts = {
  readonly messageId: string | null
  readonly fromAddress: string | null
  readonly fromName: string | null
  readonly subject: string | null
  readonly authentication: Authentication
  readonly autoSubmitted: string | null
  readonly precedence: string | null
  readonly isBulk: boolean
}

/** A file of a mail. Its bytes are there if it is a bill, or beside one. */
export type ReadFile = SortedFile & {
  readonly at: number
  readonly filename: string
  readonly contentType: string
  readonly byteSize: number
  readonly sha256: string
  readonly bytes: Uint8Array | null
}
export type MailPart = { readonly file: ReadFile } | { readonly facts: MailFacts }

/** Files of a mail that are looked at, and mails within mails. */
const FILES_MAX = 30
const DEPTH_MAX = 3
/** Servers that a mail may have passed; one with more goes in circles. */
const HOPS_MAX = 30
const TEXT_LENGTH_MAX = 255
const ADDRESS_LENGTH_MAX = 320

/** Does nothing but split: no HTML is made, linked or measured. */
const OPTIONS = {
  skipHtmlToText: true,
  skipTextToHtml: true,
  skipImageLinks: true,
  skipTextLinks: true,
  keepCidLinks: true,
  keepDeliveryStatus: true,
  checksumAlgo: 'sha256',
} as const

/** Reads a mail: each file in its order, then the facts. Throws for what is no mail. */
export async function* readMail({ bytes, gateway }: MailTask): AsyncGenerator<MailPart, null> {
  const mail = await parse(bytes)
  const found: Attachment[] = []
  await collect(mail, 0, found)
  const looked = found.slice(0, FILES_MAX).map((file) => ({ file, seen: lookAt(file) }))
  const sorted = sortFiles(
    looked.map(({ seen }) => seen),
    DOCUMENT_BYTES_MAX,
  )
  for (const [at, one] of found.entries()) {
    const { outcome, besideOf } = sorted[at] ?? { outcome: 'too_many', besideOf: null }
    if (outcome === 'too_many' && at >= FILES_MAX * 2) break
    const kind = looked[at]?.seen.kind ?? null
    yield {
      file: {
        at,
        filename: nameOf(one),
        contentType: kind ? TYPES[kind] : 'application/octet-stream',
        byteSize: one.content.length,
        sha256: createHash('sha256').update(one.content).digest('hex'),
        outcome,
        besideOf,
        bytes: outcome === 'bill' || outcome === 'beside_xml' ? new Uint8Array(one.content) : null,
      },
    }
  }
  yield { facts: factsOf(mail, gateway) }
  return null
}

const parse = (bytes: Uint8Array): Promise<ParsedMail> =>
  simpleParser(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), OPTIONS)

/** Collects files, those of mails within at their place; deeper mails stay files, which are no bills. */
async function collect(mail: ParsedMail, depth: number, found: Attachment[]): Promise<void> {
  for (const file of mail.attachments) {
    if (found.length >= FILES_MAX * 2) return
    if (file.contentType === 'message/rfc822' && depth < DEPTH_MAX) {
      nextStep('mail')
      const inner = await parse(file.content).catch(() => null)
      if (inner) await collect(inner, depth + 1, found)
    } else found.push(file)
  }
}

const TYPES: Readonly<Record<Kind, DocumentType>> = {
  pdf: 'application/pdf',
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  tiff: 'image/tiff',
  xml: 'application/xml',
}

/** Looks at a file by its bytes, never by its name or type. */
function lookAt(file: Attachment): MailFile {
  const { content, contentType } = file
  // a mail that lies too deep may have the begin of a PDF among its first bytes
  const kind = contentType.startsWith('message/') ? null : kindIn(content.subarray(0, DOCUMENT_BYTES_MAX))
  return {
    filename: nameOf(file),
    kind,
    byteSize: content.length,
    isShownInText: file.related === true,
    isInvoiceXml: kind === 'xml' && mayBeInvoice(content),
  }
}

function kindIn(bytes: Uint8Array): Kind | null {
  try {
    return kindOf(bytes)
  } catch {
    return null // of no kind that a bill has
  }
}

/** Puts foreign words on one line, and cuts them between signs. */
function shorten(words: string | undefined, length: number): string | null {
  const shown = onOneLine((words ?? '').slice(0, length * 4)).replaceAll('\0', '')
  const cut = Array.from(shown).slice(0, length).join('').trim()
  return cut === '' ? null : cut.replaceAll(/\p{Surrogate}/gu, '\ufffd').normalize('NFC')
}

const nameOf = ({ filename }: Attachment): string => shorten(filename, TEXT_LENGTH_MAX) ?? 'file'

function factsOf(mail: ParsedMail, gateway: string | null): MailFacts {
  const values = (key: string) => mail.headerLines.filter((one) => one.key === key).map(({ line }) => valueOf(line))
  // a mail with two senders shows different ones to different readers: it has none
  const senders = values('from').length === 1 ? (mail.from?.value ?? []) : []
  const [sender] = senders.length === 1 ? senders : []
  const address = shorten(sender?.address, ADDRESS_LENGTH_MAX)
  const isAddress = address !== null && /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(address)
  const fromAddress = isAddress ? address.toLowerCase() : null
  const [messageId] = values('message-id')
  const first = (key: string) => shorten(values(key)[0], TEXT_LENGTH_MAX)?.toLowerCase() ?? null
  return {
    messageId: shorten(messageId, ADDRESS_LENGTH_MAX * 2),
    fromAddress,
    fromName: shorten(sender?.name, TEXT_LENGTH_MAX),
    subject: shorten(mail.subject, TEXT_LENGTH_MAX),
    authentication: readAuthentication(
      values('authentication-results'),
      gateway,
      fromAddress && partsOf(fromAddress)[1],
    ),
    autoSubmitted: first('auto-submitted'),
    precedence: first('precedence'),
    isBulk:
      values('received').length > HOPS_MAX ||
      ['list-id', 'list-unsubscribe', 'x-loop', 'x-auto-response-suppress'].some((key) => values(key).length > 0),
  }
}

/** Takes the value of a header as one line. */
const valueOf = (line: string): string =>
  line
    .slice(line.indexOf(':') + 1)
    .replaceAll(/\r?\n\s*/g, ' ')
    .trim()
