/** Pages in Chromium: no request to another origin, no failure, and working navigation. */
import axe from 'axe-core'
import { type Browser, type Page, chromium } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { newToken } from '../../../platform/encryption.ts'
import { baseUrl } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { chromiumPath } from '../../support/identity/chromium.ts'
import { pdfOf } from '../../support/invoices/invoices.ts'
import { another, sent } from '../../support/invoices/public-pages.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

describe('in a browser', () => {
  let browser: Browser | undefined
  const launched = async () =>
    (browser ??= await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] }))
  afterAll(() => browser?.close())

  /** A tab with a page, its requests and its complaints. */
  async function shown(path: string, width = 1280) {
    const tab = await (await launched()).newPage({ viewport: { width, height: 900 } })
    const asked: string[] = []
    const faults: string[] = []
    tab.on('request', (request) => asked.push(request.url()))
    tab.on('console', (message) => faults.push(`${message.type()}: ${message.text()}`))
    tab.on('pageerror', (error) => faults.push(error.message))
    tab.on('dialog', (dialog) => {
      faults.push(dialog.message())
      return dialog.dismiss()
    })
    await tab.goto(baseUrl + path, { waitUntil: 'networkidle' })
    return { tab, asked, faults }
  }

  async function broken(tab: Page): Promise<string[]> {
    await tab.evaluate(axe.source)
    return tab.evaluate(async () => {
      const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
      const { violations } = await (globalThis as any).axe.run({ runOnly: tags })
      return violations.map(({ id, nodes }: any) => `${id}: ${nodes[0].html}`)
    })
  }

  test('the reference page shows the operations and asks no other origin for anything', async () => {
    const { tab, asked, faults } = await shown('/docs')
    await tab.getByText('Sign in with email and password').first().waitFor()
    expect(faults.filter((fault) => !/^(log|info|debug|warning): /.test(fault))).toEqual([]) // timings
    expect(asked.filter((url) => !/^(data|blob):/.test(url) && new URL(url).origin !== baseUrl)).toEqual([])
    await tab.close()
  })

  test('the page of an invoice is accessible on a screen, on a phone and on paper, without a fault, and asks no other origin', async () => {
    const { boss, seller, invoice, token } = await sent({ issue_date: '2020-01-01', due_date: '2020-01-31' })
    const form = new FormData()
    const picture = await sharp({ create: { width: 30, height: 30, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    form.set('file', new Blob([new Uint8Array(picture)]), 'logo.png')
    const headers = { authorization: `Bearer ${boss.token}` }
    await fetch(`${baseUrl}/api/v1/organizations/${seller.id}/logo`, { method: 'POST', headers, body: form })
    await pdfOf(boss, invoice.id)
    for (const width of [1280, 320]) {
      const { tab, asked, faults } = await shown(`/i/${token}`, width)
      expect([faults, await broken(tab)]).toEqual([[], []])
      expect(asked.map((url) => url.replace(baseUrl, ''))).toEqual(
        [`/i/${token}`, expect.stringMatching(/^\/api\/v1\/logos\//), 'data:,'].slice(0, asked.length),
      )
      expect(await tab.evaluate('document.documentElement.scrollWidth > window.innerWidth')).toBe(false)
      expect(await tab.evaluate('document.images[0].naturalWidth')).toBe(512)
      const tree = await tab.locator('body').ariaSnapshot()
      for (const part of [
        `- heading "Rechnung ${invoice.number}" [level=1]`,
        '- strong: Überfällig',
        '- link "PDF herunterladen"',
        '- table "Positionen"',
        '- columnheader "Einzelpreis"',
        '- row "Consulting 2 50,00 19 % 100,00"',
      ])
        expect(tree.replaceAll('\u00a0', ' ')).toContain(part)
      await tab.emulateMedia({ media: 'print' })
      expect(await tab.locator('nav').isVisible()).toBe(false)
      expect(await tab.locator('h1').isVisible()).toBe(true)
      await tab.close()
    }
  })

  test('its PDF is downloaded by the link on it', async () => {
    const { boss, invoice, token } = await sent()
    await pdfOf(boss, invoice.id)
    const { tab } = await shown(`/i/${token}`)
    const [file] = await Promise.all([tab.waitForEvent('download'), tab.getByRole('link', { name: 'PDF' }).click()])
    expect(file.suggestedFilename()).toBe(`${invoice.number}.pdf`)
    await tab.close()
  })

  test('names and texts stay text in each field: none runs, loads or is markup', async () => {
    const hostile =
      '"><script>alert(1)</script><img src=//evil.example/x onerror=alert(1)><style>*{display:none}</style>'
    const lines = [
      { description: hostile, quantity: '1', price: '1', tax_percentage: '0', tax_exemption_reason: hostile },
    ]
    const address = { line1: hostile, line2: hostile, postal_code: '1', city: hostile, country_code: 'DE' }
    const details = {
      company_name: hostile,
      address: hostile,
      phone_number: '<b>1</b>',
      tax_id: hostile,
      postal_address: address,
    }
    const { boss, seller } = await sent()
    await owner`
      update organizations set name = ${hostile}, invoice_name = ${hostile}, invoice_notes = ${hostile}, contact_name = ${hostile},
        postal_address = ${owner.json(address)}, tax_id = ${hostile}, contact_phone = ${hostile} where id = ${seller.id}`
    const texts = { comments: hostile, buyer_reference: hostile, line_items: lines }
    const { token } = await another(boss, seller, texts, details)
    const { tab, asked, faults } = await shown(`/i/${token}`)
    expect(faults).toEqual([])
    expect(asked.filter((url) => !url.startsWith(`${baseUrl}/i/`) && url !== 'data:,')).toEqual([])
    expect(await tab.locator('script, img, main style').count()).toBe(0)
    expect(await tab.getByText(hostile).count()).toBeGreaterThan(8)
    expect(await tab.locator('h1').isVisible()).toBe(true)
    await tab.close()
  })

  test('the page of what is not there is accessible, too', async () => {
    const { tab } = await shown(`/i/${newToken()}`)
    expect(await broken(tab)).toEqual([])
    expect(await tab.locator('h1').textContent()).toBe('This invoice is not here')
    await tab.close()
  })
})
