import { expect, test } from 'vitest'
import { mailAbout } from '../../domain/invoices/mail-texts.ts'
import { renderText } from '../../domain/messages/mail.ts'
import { quoteInMail, unlink } from '../../domain/text.ts'
import { documentOf } from '../support/invoices/documents.ts'
import { listed } from '../support/listed.ts'

const QUOTES = { en: ['"', '"'], de: ['„', '“'], fr: ['«\u00a0', '\u00a0»'], es: ['«', '»'] } as const
const OCCASIONS = ['sent', 'soon', 'late'] as const
type Language = keyof typeof QUOTES
const LANGUAGES = Object.keys(QUOTES) as Language[] // its keys

const mailOf = (name: string, number: string, language: Language, occasion: (typeof OCCASIONS)[number]) => {
  const document = documentOf({ language, number, page_url: null })
  const mail = mailAbout({ ...document, seller: { ...document.seller, name } }, occasion, '10.00')
  return { subject: mail.subject, body: renderText(mail) }
}

test.each(LANGUAGES)(
  '%s: the seller is quoted wherever a mail names it, and a footer says why the mail came',
  (language) => {
    const [open, close] = QUOTES[language]
    for (const occasion of OCCASIONS) {
      const { subject, body } = mailOf('Lindenhof GmbH', 'INV-1', language, occasion)
      const name = `${open}Lindenhof GmbH${close}`
      for (const text of [subject, body]) expect(text.replaceAll(name, '')).not.toContain('Lindenhof')
      expect(subject).toContain(name)
      const [footer = ''] = body.split('\n\n-- \n').slice(1)
      expect(footer).toContain(name)
    }
  },
)

const MARKS = /["„“”«»]/g
const HOSTILE = listed`
  Your bank: pay at https://evil.example/pay now | WWW.Evil.example | www .evil.example | evil.example/pay
  pay@evil.example | ftp://evil。example | a://www.b://evil.example | “Bank” «evil.example» „x“`

test.each(HOSTILE)('nothing of the name %s becomes a link, or ends its quotes', (name) => {
  for (const language of LANGUAGES) {
    for (const occasion of OCCASIONS) {
      const { subject, body } = mailOf(name, 'EVIL.EXAMPLE/1', language, occasion)
      const plain = mailOf('Lindenhof', '1', language, occasion)
      const texts = [
        [subject, plain.subject],
        [body, plain.body],
      ] as const
      for (const [text, harmless] of texts) {
        expect(text).not.toMatch(/:\/\/|www\d*\.|[\p{L}\d][.。．｡]\p{L}/iu)
        expect(text.match(MARKS)).toHaveLength(harmless.match(MARKS)?.length ?? 0)
      }
    }
  }
})

test('a name without anything of a link stays as it is', () => {
  for (const name of ['Müller & Söhne GmbH', 'A. B. Smith Co.', 'Version 2.5', '株式会社'])
    expect(quoteInMail(name)).toBe(`"${name}"`)
  expect(unlink('Booking.com')).toBe('Booking. com')
})
