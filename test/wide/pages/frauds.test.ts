/** Frauds among many requests: they stand out in the list, in the choice, in the review and in the proof. */
import { beforeAll, expect, test } from 'vitest'
import { ibanOf } from '../../../dev/sample-bills/random.ts'
import { api } from '../../support/api.ts'
import { withAuthenticator } from '../../support/identity/identity.ts'
import { everyNth } from '../../support/model-runs.ts'
import { DESK, PHONE, type Tab, expectSound, openTab, pagesUrl } from '../../support/pages/browser.ts'
import { type Company, askMany, companyWithHistory, moveAway } from '../../support/pages/frauds.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()
usePartners()

const rowsOf = async ({ page }: Tab): Promise<string[]> =>
  (await page.locator('ul.cards > li').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '))

const REASONS = {
  en: [
    /^Gärtnerei Lindner 251\.30 EUR .* another name at the bank account has changed first payment$/,
    /^Nordwint Logistik GmbH 815\.40 EUR .* looks like another payee first payment$/,
    /^Kanzlei Voss und Partner 19,500\.00 EUR .* far more than usual$/,
  ],
  de: [
    /^Gärtnerei Lindner 251,30 EUR .* anderer Name bei der Bank Konto hat sich geändert erste Zahlung$/,
    /^Nordwint Logistik GmbH 815,40 EUR .* ähnelt anderem Empfänger erste Zahlung$/,
    /^Kanzlei Voss und Partner 19\.500,00 EUR .* viel mehr als sonst$/,
  ],
} as const

const FIRST = {
  en: '3 requests have warnings at which to stop and look. They stand first.',
  de: 'Zu 3 Anfragen gibt es Warnungen. Prüfen Sie sie genau; sie stehen zuerst.',
}

const VIEWS = [
  ['en', PHONE],
  ['en', DESK],
  ['de', DESK],
  ['de', PHONE],
] as const

let approver: Awaited<ReturnType<typeof withAuthenticator>>
let company: Company
let frauds: readonly string[]
let total: number

beforeAll(async () => {
  approver = await withAuthenticator()
  company = await companyWithHistory(approver)
  const { known, random, addPayee, pay } = company
  const [plants, lawyers] = known
  if (!plants || !lawyers) throw new Error('there are too few payees')
  const twin = await addPayee('Nordwint Logistik GmbH', ibanOf(random, 'DE'))
  await moveAway(company, plants)
  const asked = await askMany(company, [
    () => pay(plants, '251.30'),
    () => pay(twin, '815.40'),
    () => pay(lawyers, '19500.00'),
  ])
  ;({ frauds, total } = asked)
})

test.each(everyNth(VIEWS, 2))(
  'three frauds among many requests come first with their reasons: %s',
  async (language, viewport) => {
    const tab = await openTab(approver, { viewport })
    await tab.page.context().addCookies([{ name: 'language', value: language, url: pagesUrl }])
    await tab.page.goto('/approve')
    await tab.page.getByText(FIRST[language]).waitFor()
    const rows = await rowsOf(tab)
    expect(rows).toHaveLength(total)
    expect(rows.slice(0, 3)).toEqual(REASONS[language].map((one) => expect.stringMatching(one)))
    // an ordinary first payment is noted, after them
    expect(rows[3]).toMatch(/^Malermeister Okafor/)
    expect(rows.slice(4).filter((row) => /UTC ./.test(row))).toEqual([])
    if (process.env['SHOTS'])
      await tab.page.screenshot({ path: `${process.env['SHOTS']}/frauds-${language}-${viewport.width}.png` })
  },
)

test('they are counted in the choice, come first in the review, and are named in the proof', async () => {
  const tab = await openTab(approver, { viewport: DESK })
  const { page } = tab
  await page.goto('/approve')
  await page.getByLabel('Select all').check()
  await page
    .getByRole('button', { name: new RegExp(`^Approve selected: ${total} · 3 with warnings · [\\d,.]+ EUR$`) })
    .click()
  await page.getByText('3 of them have warnings. Look at these first.').waitFor()
  await expectSound(tab)
  const looked = await rowsOf(tab)
  expect(looked.slice(0, 3)).toEqual([
    expect.stringContaining('The bank knows this account under another name'),
    expect.stringContaining('The name looks like that of another payee'),
    expect.stringContaining('More than three times what this payee usually gets'),
  ])
  if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/frauds-review.png` })
  await page.getByRole('button', { name: `Approve all ${total} · 3 with warnings` }).click()
  const proof = await page.locator('main').innerText()
  expect(proof).toContain('3 of them with warnings. (1) Warning: ')
  for (const name of ['Gärtnerei Lindner', 'Nordwint Logistik GmbH', 'Kanzlei Voss und Partner'])
    expect(proof).toContain(`"${name}"`)
  if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/frauds-proof.png` })
})

test('they are left out with one click, and stop the viewer where one of them is approved alone', async () => {
  const { page } = await openTab(approver, { viewport: DESK })
  await page.goto('/approve')
  await page.getByLabel('Select all').check()
  await page.getByRole('button', { name: 'Approve selected' }).click()
  await page.getByRole('button', { name: `Approve the ${total - 3} without warnings` }).click()
  expect(await page.locator('main').innerText()).toContain(`Approve ${total - 3} requests`)
  await page.getByLabel('Code of your authenticator').fill(await approver.code())
  await page.getByRole('button', { name: 'Confirm with code' }).click()
  await page.getByText('Approved. 3 are left.').waitFor()
  const path = `/organizations/${company.id}/approvals?status=pending&limit=100`
  const { body } = await api('GET', path, { token: approver.token })
  const left = body.data.map((one: { approval_id: string }) => one.approval_id)
  expect(left.toSorted()).toEqual(frauds.toSorted())

  await page.goto(`/approve/${frauds[1]}`)
  await page.getByRole('button', { name: 'Approve' }).click()
  expect(await page.locator('main').innerText()).toContain(
    'Warning: The name looks like that of another payee. Approve: Pay 815.40 EUR to "Nordwint Logistik GmbH"',
  )
})
