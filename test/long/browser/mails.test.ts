/** The HTML part of mails in Chromium: on a phone and at full width, in the light and in the dark. */
import { mkdirSync } from 'node:fs'
import { type Browser, type Page, chromium } from 'playwright-core'
import axe from 'axe-core'
import { afterAll, expect, test } from 'vitest'
import { INVOICE_LANGUAGES } from '../../../domain/invoice-documents/document.ts'
import { mailAbout } from '../../../domain/invoices/mail-texts.ts'
import { aboutOrganization } from '../../../domain/messages/footers.ts'
import { renderHtml } from '../../../domain/messages/mail-html.ts'
import type { MailContent } from '../../../domain/messages/mail.ts'
import { quoteInMail } from '../../../domain/text.ts'
import { chromiumPath } from '../../support/identity/chromium.ts'
import { documentOf } from '../../support/invoices/documents.ts'

const browser: Promise<Browser> = chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] })
afterAll(async () => (await browser).close())

const page_url = `https://bank.test/i/${'a'.repeat(43)}`
const request: MailContent = {
  subject: 'A request of "Lindenhof GmbH" waits for your approval',
  paragraphs: ['"Ada Lovelace" asks for your approval. More may wait for you.'],
  facts: [
    ['Request', '12,500.00 EUR to "Müller & Söhne GmbH": IBAN …2051'],
    ['Requested by', '"Ada Lovelace"'],
    ['Organization', '"Lindenhof GmbH"'],
    ['Until', '2026-11-21 10:00 UTC'],
  ],
  action: { label: 'Review the request', url: 'https://bank.test/approve/0198c2c2-7d5a-7000-8000-000000000001' },
  footer: aboutOrganization('Lindenhof GmbH'),
}
const unbroken = quoteInMail('W'.repeat(255))
const MAILS: Readonly<Record<string, MailContent>> = {
  request,
  'request with names that do not break': {
    ...request,
    subject: `A request of ${unbroken} waits for your approval`,
    facts: request.facts!.map(([label]) => [label, unbroken]),
    footer: aboutOrganization('W'.repeat(255)),
  },
  'request with names from right to left': {
    ...request,
    facts: request.facts!.map(([label]) => [label, '"شركة الأفق للتجارة" 12,500.00 EUR']),
  },
  code: {
    subject: 'Your code to confirm that it is you',
    paragraphs: ['Your code is 314159. It is good for 10 minutes.', 'Nobody of ours ever asks you for it.'],
    facts: [['It confirms this', 'Approve: 900.20 EUR to "Amazon Web Services": IBAN …2051']],
    code: '314159',
    footer: ['You receive this mail because a code was asked for with your account. It has no link on purpose.'],
  },
  ...Object.fromEntries(
    INVOICE_LANGUAGES.map((language) => [
      `invoice ${language}`,
      mailAbout(documentOf({ language, page_url }), 'late', '1234.50'),
    ]),
  ),
}

/** Lowest contrast (WCAG 2.2) of a text and its background, from computed colors. */
const LOWEST_CONTRAST = `(() => {
  const channels = (color) => (color.match(/[\\d.]+/g) ?? []).map(Number)
  const luminance = (color) => {
    const [r, g, b] = channels(color).map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const behind = (element) => {
    const color = getComputedStyle(element).backgroundColor
    return channels(color)[3] === 0 ? behind(element.parentElement) : color
  }
  const texts = [...document.body.querySelectorAll('*')].filter((element) =>
    [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
  return Math.min(...texts.map((element) => {
    const [a, b] = [luminance(getComputedStyle(element).color), luminance(behind(element))]
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
  }))
})()`

/** Number of words of labels that stand on more than one line. */
const BROKEN_WORDS = `[...document.querySelectorAll('th')].flatMap(({ firstChild }) =>
  [...firstChild.data.matchAll(/\\S+/g)].filter(({ index, 0: word }) => {
    const range = document.createRange()
    range.setStart(firstChild, index)
    range.setEnd(firstChild, index + word.length)
    return range.getClientRects().length > 1
  })).length`

const PICTURES = process.env['MAIL_PICTURES']

async function photograph(page: Page, name: string): Promise<void> {
  if (!PICTURES) return
  mkdirSync(PICTURES, { recursive: true })
  await page.screenshot({ path: `${PICTURES}/${name.replaceAll(' ', '-')}.png`, fullPage: true })
}

const SHOWN = Object.keys(MAILS).flatMap((name) =>
  ([360, 600, 1280] as const).flatMap((width) =>
    (['light', 'dark'] as const).map((scheme) => [name, width, scheme] as const),
  ),
)

test.each(SHOWN)(
  '%s at %i px in the %s: nothing scrolls aside, the button is seen, all is legible',
  async (...shown) => {
    const [name, width, colorScheme] = shown
    const mail = MAILS[name]!
    const context = await (await browser).newContext({ viewport: { width, height: 740 }, colorScheme })
    const page = await context.newPage()
    const asked: string[] = []
    page.on('request', (one) => asked.push(one.url()))
    await page.setContent(renderHtml(mail))
    await photograph(page, `${name} ${width} ${colorScheme}`)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    const card = await page.locator('table.card').boundingBox()
    expect(card?.width).toBeLessThanOrEqual(600)
    expect(await page.evaluate(BROKEN_WORDS)).toBe(0)
    expect(await page.evaluate(LOWEST_CONTRAST)).toBeGreaterThanOrEqual(4.5)
    if (mail.action) {
      const button = page.getByRole('link', { name: mail.action.label })
      expect(await button.isVisible()).toBe(true)
      const box = await button.boundingBox()
      expect(box?.height).toBeGreaterThanOrEqual(44)
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width)
      expect(await page.getByRole('link', { name: mail.action.url }).isVisible()).toBe(true)
    }
    await page.evaluate(axe.source)
    const broken = await page.evaluate(async () => {
      const { violations } = await (globalThis as any).axe.run({
        runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'],
      })
      return violations.map(({ id, nodes }: any) => `${id}: ${nodes[0].html}`)
    })
    expect(broken).toEqual([])
    expect(asked).toEqual([])
    await context.close()
  },
)
