/** Rules of approval on pages alone: built, rehearsed, and saved with a proof of identity. */
import { expect, test } from 'vitest'
import { join, organization, person } from '../../support/api.ts'
import { readPolicy, rule, setPolicy } from '../../support/approvals/policies.ts'
import { leave } from '../../support/organizations/members.ts'
import { withAuthenticator } from '../../support/identity/identity.ts'
import { DESK, PHONE, expectSound, makePasskey, openTab } from '../../support/pages/browser.ts'
import { addAuthenticator } from '../../../dev/walk/authenticator.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()
usePartners()

const isPhone = (shape: object) => 'javaScriptEnabled' in shape

test.each([
  ['on a phone, without script, by a code', { viewport: PHONE, javaScriptEnabled: false }],
  ['on a desk, in the dark, by a passkey', { viewport: DESK, colorScheme: 'dark' }],
] as const)('an owner builds a rule, tries it, and saves it %s', async (_, shape) => {
  const boss = await withAuthenticator()
  const { id } = await organization(boss)
  const [mia, ben] = [await person({ name: 'Mia' }), await person({ name: 'Ben' })]
  await join(id, mia, 'member')
  await join(id, ben, 'admin')
  await join(id, await person(), 'admin')
  const tab = await openTab(boss, shape)
  const { page } = tab
  const sound = () => (isPhone(shape) ? undefined : expectSound(tab))
  if (!isPhone(shape)) {
    await addAuthenticator(page)
    await makePasskey(page, boss)
  }
  await page.goto(`/o/${id}/company`)
  await page.getByRole('link', { name: 'Approval rules' }).click()
  await page.getByText('Payments: one person (owner or admin)').first().waitFor()
  await sound()
  await page.getByRole('link', { name: 'Change the rules' }).click()
  await sound()
  await page.getByRole('button', { name: 'Add a rule' }).click()
  await page.getByLabel('From this amount on').fill('10,00,0')
  await page.getByLabel('Currency').fill('eur')
  await sound()
  await page.getByRole('button', { name: 'Keep this rule' }).last().click()
  await page.getByText('The amount is not clear.').waitFor()
  await page.getByLabel('From this amount on').fill('10,000')
  await page.getByLabel('How many approve').selectOption('2')
  await page.getByRole('button', { name: 'Add a step' }).click()
  const second = page.getByRole('group', { name: 'Step 2' })
  await second.getByLabel('owner').uncheck()
  await second.getByLabel('admin').uncheck()
  await second.getByLabel('Add a person').selectOption({ label: 'Mia Person (member)' })
  await page.getByRole('button', { name: 'Keep this rule' }).last().click()
  await page
    .getByText('Payments of 10,000 EUR and more: two people (owner or admin), then one person (Mia Person)')
    .waitFor()
  await page.getByText('new or changed').waitFor()
  await sound()

  await page.getByLabel('Asked by').selectOption({ label: 'Mia Person (member)' })
  await page.getByLabel('Amount').fill('12,000.00')
  await page.getByRole('button', { name: 'Try it' }).last().click()
  await page.getByText('Step 2: one person of nobody').waitFor() // Mia asked
  await page.getByText('Too few people could approve it').waitFor()
  await page.getByText('Step 1: one person of').waitFor() // as it is now
  await sound()
  expect((await readPolicy(boss, id)).body.version).toBe(0) // nothing holds before it is saved

  await page.getByRole('button', { name: 'Save the rules' }).click()
  if (isPhone(shape)) {
    await page.getByLabel('Code of your authenticator').fill(await boss.code())
    await page.getByRole('button', { name: 'Confirm with code' }).click()
  } else {
    await page.getByRole('button', { name: 'Confirm with passkey' }).click()
  }
  await page.getByText('The new rules hold from now on.').waitFor()
  await sound()
  const { body } = await readPolicy(boss, id)
  expect(body).toMatchObject({ version: 1, updated_by: boss.userId })
  expect(body.rules).toHaveLength(3) // those of the beginning stay
  expect(body.rules.at(-1)).toEqual({
    action_type: 'withdrawal',
    currency: 'EUR',
    amount_from: '10000',
    steps: [
      { required: 2, roles: ['owner', 'admin'], user_ids: [] },
      { required: 1, roles: [], user_ids: [mia.userId] },
    ],
    self_approval: false,
    expires_after_hours: 720,
  })
})

test('a draft loses nothing of rules that it does not touch, and says what another owner changed meanwhile', async () => {
  const boss = await withAuthenticator()
  const { id } = await organization(boss)
  const ben = await person({ name: 'Ben' })
  await join(id, ben, 'admin')
  const limit = { amount_from: '1234.567', period: 'week', per: 'payee', hard: true, steps: [] }
  const rules = [
    rule({ delegate_self_approval: false, steps: [{ required: 1, roles: [], user_ids: [ben.userId, boss.userId] }] }),
    rule(limit),
    rule({ action_type: 'payment_batch', currency: 'USD', amount_from: '0.5', expires_after_hours: 5 }),
    rule({
      when: {
        labels: [{ dimension: 'department', value: 'sales' }],
        account_codes: ['4900', '49 30'],
        countries: ['FR', 'IT'],
        origins: ['api', 'delegate'],
        new_payee: false,
      },
      require: ['account_code'],
    }),
  ]
  const set = await setPolicy(boss, id, ...rules)
  const { page } = await openTab(boss, { viewport: PHONE, javaScriptEnabled: false })
  await page.goto(`/o/${id}/company/rules/draft`)
  for (const index of [0, 1, 2, 3]) {
    await page.getByRole('button', { name: 'Change', exact: true }).nth(index).click()
    await page.getByRole('button', { name: 'Keep this rule' }).last().click()
    await page.getByRole('button', { name: 'Save the rules' }).waitFor()
  }
  expect(await page.getByText('new or changed').count()).toBe(0)
  expect(JSON.parse(await page.locator('input[name=rules]').inputValue())).toEqual(set.rules)

  await page.getByRole('button', { name: 'Take out' }).first().click()
  await page.getByText('No rule any more:').waitFor()
  await setPolicy(boss, id, rule(), rule({ currency: 'EUR' })) // another tab
  await page.getByRole('button', { name: 'Save the rules' }).click()
  await page.getByText('Another owner changed the rules').waitFor()
  await page.getByText('Payments in EUR: one person (owner or admin)').waitFor() // among what ends
  expect((await readPolicy(boss, id)).body.version).toBe(2)
})

test('a rule whose approvers left is warned of, and a member changes nothing', async () => {
  const boss = await person()
  const { id } = await organization(boss)
  const [ben, member] = [await person({ name: 'Ben' }), await person()]
  await join(id, ben, 'admin')
  await join(id, member, 'member')
  await setPolicy(boss, id, rule({ steps: [{ required: 1, roles: ['admin'], user_ids: [ben.userId] }] }))
  await leave(ben, id)
  const { page } = await openTab(member)
  await page.goto(`/o/${id}/company/rules`)
  await page.getByText('Owners change these rules.').waitFor()
  await page.getByText('Too few people can approve this (step 1)').waitFor()
  await page.getByText('It names a person who is no member any more').waitFor()
  await page.goto(`/o/${id}/company/rules/draft`)
  expect(new URL(page.url()).pathname).toBe(`/o/${id}/company/rules`)
})
