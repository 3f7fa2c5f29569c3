/** Pages of approvers: a request of one's own, and limits in a currency whose worth is not known. */
import { expect, test } from 'vitest'
import { api, createPayment, join, payerAndPayee, person } from '../../support/api.ts'
import { setRules } from '../../support/approvals/approvals.ts'
import { owner } from '../../support/database.ts'
import { PHONE, expectSound, openTab } from '../../support/pages/browser.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { useWorker } from '../../support/worker.ts'
import { keepDailyRates } from '../../../temporal/daily-rates.ts'

useWorker()
usePartners()

const words = (text: string) => text.replaceAll(/\s+/g, ' ')

test('who asked for it themselves is told so, and that no second person looks at it; another person is not', async () => {
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  const { approval_request_id: id } = await createPayment(boss, contactId, '5.00')
  const other = await person({ authenticator: true })
  await join(payer.id, other, 'admin')
  const mine = await openTab(boss, { viewport: PHONE })
  await mine.page.goto(`/approve/${id}`)
  const said = words(await mine.page.locator('main').innerText())
  expect(said).toContain('asked for by you,')
  expect(said).toContain('You asked for this yourself, and your policy lets you approve it')
  await expectSound(mine)
  if (process.env['SHOTS']) await mine.page.screenshot({ path: `${process.env['SHOTS']}/own-360.png`, fullPage: true })
  const theirs = await openTab(other, { viewport: PHONE })
  await theirs.page.goto(`/approve/${id}`)
  const shown = words(await theirs.page.locator('main').innerText())
  expect(shown).toContain(`asked for by Test Person (${boss.email})`)
  expect(shown).not.toContain('You asked for this yourself')
})

test('a limit in a currency without a rate says that the request counts as above it; EUR and GBP have a rate from the start', async () => {
  await owner`delete from daily_rates`
  await keepDailyRates()
  const kept = await owner`select distinct currency from daily_rates where currency in ('EUR', 'GBP') order by 1`
  expect(kept.map(({ currency }) => currency)).toEqual(['EUR', 'GBP'])
  await owner`delete from daily_rates`
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  await join(payer.id, await person(), 'admin')
  const limit = { currency: 'EUR', amount_from: '2000', period: 'week', per: 'payee' }
  await setRules(payer.id, boss, [{ ...limit, steps: [{ required: 1, roles: ['owner'] }] }])
  const { approval_request_id: id } = await createPayment(boss, contactId, '5.00')
  const { body } = await api('GET', `/organizations/${payer.id}/approvals/${id}`, { token: boss.token })
  expect(body.limits).toMatchObject([{ without_rate: ['EUR'], total: { amount: '0.00' } }])
  const { page } = await openTab(boss, { viewport: PHONE })
  await page.goto(`/approve/${id}`)
  const said = words(await page.locator('main').innerText())
  expect(said).toContain(
    'Limit reached for want of a rate: none is known for EUR, so that this request counts as above 2,000 EUR of the week for this payee',
  )
  expect(said).not.toContain('0.00 EUR')
})
