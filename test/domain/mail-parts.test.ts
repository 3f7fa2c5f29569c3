import fc from 'fast-check'
import { expect, test } from 'vitest'
import { INVOICE_LANGUAGES } from '../../domain/invoice-documents/document.ts'
import { mailAbout } from '../../domain/invoices/mail-texts.ts'
import { renderHtml } from '../../domain/messages/mail-html.ts'
import { type MailContent, renderShort, renderText } from '../../domain/messages/mail.ts'
import { quoteInMail, unlink } from '../../domain/text.ts'
import { documentOf } from '../support/invoices/documents.ts'
import { mailOf } from '../support/messages/mails.ts'
import { always } from '../support/property.ts'

const URL = 'https://bank.test/approve/1?a=1&b=2'
const action = { label: 'Review the request', url: URL }

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
const decode = (html: string) => html.replaceAll(/&([a-z]+|#\d+);/g, (_, name: string) => ENTITIES[name] ?? '?')

/** Words that a reader of the HTML part sees, block by block. */
const seenIn = (html: string): string[] =>
  html
    .slice(html.indexOf('<body'))
    .replaceAll(/<!--.*?-->/gs, '')
    .split(/<\/?(?:p|h1|td|th|a|tr|table|body|html)\b[^>]*>/)
    .map((block) => decode(block.replaceAll(/<[^>]*>/g, '')).trim())
    .filter(Boolean)

/** Tags of our design, with their attributes: all else that looks like one is a fault. */
const TAG =
  /<(?:\/?(?:html|head|meta|title|style|body|table|tr|td|th|h1|p|a|strong)\b[^<>]*|!doctype html|!--[^<]*|!\[endif\]--)>/g

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(
    '</td><script>alert(1)</script>',
    '"><img src=https://evil.example/x.png>',
    '<a href="https://evil.example">Pay here</a>',
    'https://evil.example/pay',
    'www.evil.example',
    'ftp://x.example javascript:alert(1)//',
    '\u202egnp.exe\u202c \u2066x\u2069',
    'a\r\nBcc: victim@example.com\r\n\r\nb',
    '&lt;b&gt; &#60;',
    '-->',
  ),
)
const full = (name: string): MailContent => ({
  subject: `A request of ${quoteInMail(name)} waits`,
  paragraphs: [`${quoteInMail(name)} asks.`, unlink(name)],
  facts: [[unlink(name), quoteInMail(name)]],
  action,
  footer: [`As a member of ${quoteInMail(name)}.`],
})

test('text and HTML say the same, and the HTML shows the link as a button and in full', () => {
  const mail: MailContent = {
    ...mailOf('A request of "Payer" waits', 'A request waits.', { action }),
    facts: [
      ['Request', '5.00 USD to "A & <B>"'],
      ['Until', '2026-11-21 10:00 UTC'],
    ],
  }
  expect(renderText(mail)).toBe(
    [
      'A request waits.\n',
      'Request: 5.00 USD to "A & <B>"',
      'Until: 2026-11-21 10:00 UTC\n',
      'Review the request:',
      `${URL}\n`,
      '-- ',
      'You receive this mail because of a test.',
    ].join('\n'),
  )
  const html = renderHtml(mail)
  expect(seenIn(html)).toEqual([
    mail.subject,
    'A request waits.',
    ...mail.facts!.flat(),
    action.label,
    URL,
    ...mail.footer,
  ])
  expect([...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => decode(href!))).toEqual([URL, URL])
})

test('nothing of a name becomes a tag, a link or a hidden sign, in no part', () => {
  always(3000, hostile, (name) => {
    const mail = full(name)
    const [text, html] = [renderText(mail), renderHtml(mail)]
    expect(html.replaceAll(TAG, '')).not.toMatch(/[<>]/)
    expect(html.replaceAll(TAG, '').replaceAll(/&(?:amp|lt|gt|quot|#39);/g, '')).not.toContain('&')
    expect(seenIn(html).join('\n').replaceAll(URL, '')).not.toMatch(/:\/\/|\bwww\d*\.|[\p{L}\d][.。．｡]\p{L}/iu)
    expect((html.match(TAG) ?? []).join('').match(/(?:href|src)=/g)).toHaveLength(2)
    expect(text.replaceAll(URL, '')).not.toMatch(/:\/\/|\bwww\d*\.|[\p{L}\d][.。．｡]\p{L}/iu)
    expect(`${text}${html}`.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
  })
})

test('every fact of a mail is in both parts, whatever it is', () => {
  always(2000, hostile, (name) => {
    const mail = full(name)
    const [text, seen] = [renderText(mail), seenIn(renderHtml(mail)).join('\n')]
    const flat = (words: string) => words.replaceAll(/\s+/g, '')
    for (const words of [...mail.paragraphs, ...mail.facts!.flat(), action.label, ...mail.footer]) {
      expect(flat(text)).toContain(flat(words))
      expect(flat(seen)).toContain(flat(words))
    }
  })
})

test('an author who forgets to unlink a name sends no scheme and no tag', () => {
  always(2000, hostile, (name) => {
    const mail = mailOf(name, name, { facts: [[name, name]], footer: [name] })
    const html = renderHtml(mail)
    expect(html.replaceAll(TAG, '')).not.toMatch(/[<>]/)
    for (const part of [renderText(mail), renderShort(mail), seenIn(html).join('\n')])
      expect(part).not.toMatch(/:\/\/|\bwww\d*\./i)
  })
})

test('a mail as long as can be stays below what mail programs show whole', () => {
  const long = '\u{1f4b6}'.repeat(50_000)
  const facts = Array.from({ length: 6 }, () => [long, long] as const)
  const html = renderHtml(mailOf(long, long, { facts, action }))
  expect(Buffer.byteLength(html)).toBeLessThan(102_400)
  expect(Buffer.from(html).toString()).toBe(html) // no half of a sign
})

test('a code is marked in the HTML part, and read whole in each', () => {
  const mail = mailOf('Your code', 'Your code is 314159. It is good for 10 minutes.', { code: '314159' })
  expect(renderHtml(mail)).toMatch(/<strong [^>]*>314159<\/strong>/)
  expect(seenIn(renderHtml(mail))).toContain('Your code is 314159. It is good for 10 minutes.')
  expect(renderShort({ ...mail, facts: [['It confirms this', '5.00 USD']] })).toBe(
    'Your code is 314159. It is good for 10 minutes. It confirms this: 5.00 USD.',
  )
})

test.each(INVOICE_LANGUAGES)(
  '%s: a mail to a customer has seller, number, amount and due date as facts',
  (language) => {
    const document = documentOf({ language, page_url: 'https://bank.test/i/abc' })
    const mail = mailAbout(document, 'late', '10.00')
    const html = renderHtml(mail)
    expect(html).toContain(`<html lang="${language}">`)
    expect(mail.facts).toHaveLength(4)
    const seen = seenIn(html)
    for (const [label, value] of mail.facts!) {
      expect(label).toMatch(/\p{L}/u)
      expect(seen).toEqual(expect.arrayContaining([label, value]))
      expect(renderText(mail)).toContain(value)
    }
    expect(mail.facts!.map(([, value]) => value).join(' ')).toContain(document.number)
  },
)
