/** Keyboard alone: Tab and Enter pay, decide and send an invoice; the focus is seen and goes in the order of reading. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { api, join, payerAndPayee } from '../../support/api.ts'
import { billingContact } from '../../support/billing-contacts.ts'
import { withAuthenticator } from '../../support/identity/identity.ts'

import { DESK, openTab } from '../../support/pages/browser.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()
usePartners()

/** Most presses of Tab between two things that a page asks for. */
const PRESSES_MAX = 60

type Focus = { readonly name: string; readonly isSeen: boolean; readonly isBefore: boolean }

/** Reads where the focus is: its name, whether its outline is seen, and whether it went back in the page. */
const focusOf = (page: Page): Promise<Focus> =>
  page.evaluate(`(() => {
    const at = document.activeElement
    const { outlineStyle, outlineWidth } = getComputedStyle(at)
    const { width, height, top, bottom } = at.getBoundingClientRect()
    const before = globalThis.focusedLast
    globalThis.focusedLast = at
    const label = at.labels?.[0]?.textContent
    return {
      name: (label ?? at.getAttribute('aria-label') ?? at.textContent).replaceAll(/\\s+/g, ' ').trim(),
      // a date has parts of its own, whose marks are the browser's
      isSeen: (before === at && at.type === 'date') || outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2 && width > 0 && bottom > 0 && top < innerHeight,
      isBefore: Boolean(before?.isConnected && before.compareDocumentPosition(at) & Node.DOCUMENT_POSITION_PRECEDING),
    }
  })()`)

/** Goes on by Tab to what has this name; each stop on the way shows its focus, and none is further up in the page. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const passed: string[] = []
  for (let press = 0; press < PRESSES_MAX; press += 1) {
    await page.keyboard.press('Tab')
    const focus = await focusOf(page)
    expect(focus, `${page.url()} after ${passed.join(' | ')}`).toMatchObject({ isSeen: true, isBefore: false })
    if (typeof name === 'string' ? focus.name.startsWith(name) : name.test(focus.name)) return
    passed.push(focus.name)
  }
  throw new Error(`${page.url()}: Tab finds no ${String(name)}, but ${passed.join(' | ')}`)
}

/** Types into the field of this label. */
async function type(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, label)
  await page.keyboard.type(text)
}

/** Presses what has this name, and waits for the page that it leads to. */
async function press(page: Page, name: string | RegExp): Promise<void> {
  await tabTo(page, name)
  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')])
}

/** Skips the frame by the first link of a page. */
async function skip(page: Page): Promise<void> {
  await tabTo(page, 'Skip to content')
  await page.keyboard.press('Enter')
}

test('a payment is asked for and approved by Tab and Enter alone; a menu closes by Escape and gives the focus back', async () => {
  const { payer, boss, contactId } = await payerAndPayee('100.00')
  const approver = await withAuthenticator()
  await join(payer.id, approver, 'admin')
  const { page } = await openTab(boss, { viewport: DESK })
  await page.goto(`/o/${payer.id}`)
  await tabTo(page, 'Change company: ')
  await page.keyboard.press('Enter')
  await tabTo(page, 'Payer')
  await page.keyboard.press('Escape')
  expect(await page.locator('.menu[open]').count()).toBe(0)
  expect(await focusOf(page)).toMatchObject({ name: 'Change company: Payer', isSeen: true })
  await page.reload()
  await skip(page)
  await press(page, 'Pay')
  await skip(page)
  await type(page, 'Payee', 'Payee')
  await type(page, 'Amount', '7.00')
  await type(page, 'Text for the payee', 'Invoice 7')
  await press(page, 'Check')
  await skip(page)
  await press(page, 'Ask for approval')
  await page.getByText('Sent for approval.').waitFor()
  const { body } = await api('GET', `/organizations/${payer.id}/payments`, { token: boss.token })
  expect(body.data).toMatchObject([{ landing: { amount: '7.00', currency: 'USD' }, payment_contact_id: contactId }])

  const other = await openTab(approver, { viewport: DESK, colorScheme: 'dark' })
  await other.page.goto('/approve')
  await skip(other.page)
  await press(other.page, /7\.00 USD/)
  await skip(other.page)
  await press(other.page, 'Approve')
  await skip(other.page)
  await type(other.page, 'Code of your authenticator', await approver.code())
  await press(other.page, 'Confirm with code')
  await other.page.getByText('You approved this.').waitFor()
})

test('an invoice is written and sent by Tab and Enter alone', async () => {
  const { payer, boss } = await payerAndPayee('0')
  await billingContact(boss, payer.id, { company_name: 'Weber GmbH' })
  const { page } = await openTab(boss, { viewport: DESK })
  await page.goto(`/o/${payer.id}/invoices`)
  await skip(page)
  await press(page, 'New invoice')
  await skip(page)
  await type(page, 'Customer', 'Weber')
  await type(page, 'Description', 'Consulting')
  await type(page, 'Quantity', '2')
  await type(page, 'Price of one', '50')
  await type(page, 'Tax in %', '19')
  await press(page, 'Save the draft')
  await skip(page)
  await press(page, 'Send')
  await page.getByText('119.00 EUR').first().waitFor()
  const { body } = await api('GET', `/organizations/${payer.id}/invoices`, { token: boss.token })
  expect(body.data).toMatchObject([{ total: '119.00' }])
  expect(body.data[0].state).not.toBe('draft')
})
