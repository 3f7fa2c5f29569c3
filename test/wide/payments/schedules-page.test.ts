/** Page of approvers of payments on a date. */
import { expect, test } from 'vitest'
import { openTab } from '../../support/pages/browser.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { payerBy } from '../../support/payments/payouts.ts'
import { executed, quoteOf } from '../../support/payments/quotes.ts'
import { businessDay, onDate, scheduled } from '../../support/payments/schedules.ts'

usePartners()

const longDay = (day: string): string =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString('en-GB', { dateStyle: 'full', timeZone: 'UTC' })

test('who approves a payment on a date reads that day with its weekday first, and what it may cost on it', async () => {
  const at = await payerBy('fiat')
  const day = await businessDay(10)
  const made = await onDate(at, day)
  const { page, faults } = await openTab(at.boss)
  await page.goto(`/approve/${made.approval_request_id}`)
  expect(await page.textContent('main')).toContain(longDay(day))
  expect(await page.textContent('main')).not.toContain('At most on that day')
  const quote = await quoteOf(at.boss, at.contact, { amount: '100.00', currency: 'USD' })
  const exchanged = await executed(at.boss, quote.quote_id, { execute_on: day })
  await page.goto(`/approve/${exchanged.approval_request_id}`)
  expect(await page.textContent('main')).toMatch(/At most on that day\s*100\.00 USD/)
  expect(faults).toEqual([])
})

test('the page of an approved payment that waits for its day says the day', async () => {
  const at = await payerBy('fiat')
  const day = await businessDay(10)
  const made = await scheduled(at, day)
  const { page } = await openTab(at.boss)
  await page.goto(`/approve/${made.approval_request_id}`)
  const said = await page.textContent('main')
  expect(said).toContain(`Approved. It is paid on ${longDay(day)}.`)
  expect(said).not.toContain('The partner is asked')
})
