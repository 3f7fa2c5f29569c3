/** People of a company on pages alone: invited, given a role, represented. */
import { expect, test } from 'vitest'
import { api, join, organization, person } from '../../support/api.ts'
import { chained } from '../../support/events.ts'
import { withAuthenticator } from '../../support/identity/identity.ts'
import { black, png } from '../../support/files/png.ts'
import { rolesOf } from '../../support/organizations/members.ts'
import { DESK, PHONE, expectSound, openTab, pagesUrl } from '../../support/pages/browser.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()
usePartners()

const rowsOf = async (organizationId: string, of: string, token: string) =>
  (await api('GET', `/organizations/${organizationId}/${of}`, { token })).body.data
const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

test.each([
  ['on a phone, without script', { viewport: PHONE, javaScriptEnabled: false }],
  ['on a desk, in the dark', { viewport: DESK, colorScheme: 'dark' }],
] as const)('an owner invites people, gives a role and names a substitute %s', async (_, shape) => {
  const boss = await withAuthenticator()
  const { id } = await organization(boss)
  const mia = await person({ name: 'Mia' })
  await join(id, mia, 'member')
  const tab = await openTab(boss, shape)
  const { page } = tab
  const sound = () => ('javaScriptEnabled' in shape ? undefined : expectSound(tab))
  const confirm = async (stepsAhead: number) => {
    await page.getByLabel('Code of your authenticator').fill(await boss.code(stepsAhead))
    await page.getByRole('button', { name: 'Confirm with code' }).click()
  }
  await page.goto(`/o/${id}/company`)
  await page.getByText('2 members').waitFor()
  await sound()
  await page.getByRole('link', { name: 'People' }).click()
  await sound()

  await page.getByRole('link', { name: 'Invite people' }).click()
  await page.getByLabel('E-mail addresses').fill('ana@example.com\nnobody.example.com')
  await sound()
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByRole('alert').waitFor()
  await page.getByText('nobody.example.com:').waitFor() // which one
  expect(await page.getByLabel('E-mail addresses').inputValue()).toBe('ana@example.com\nnobody.example.com')
  await page.getByLabel('E-mail addresses').fill('ana@example.com, ben@example.com')
  await page.getByLabel('Role', { exact: true }).selectOption('admin')
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByText('Invited. Each link').waitFor()
  await sound()
  const invited = await rowsOf(id, 'invitations', boss.token)
  expect(invited.map(({ email, role }: Record<string, string>) => [email, role]).toSorted()).toEqual([
    ['ana@example.com', 'admin'],
    ['ben@example.com', 'admin'],
  ])
  await page.getByText('Take back', { exact: true }).first().click()
  await page.getByRole('button', { name: 'Take the invitation back' }).first().click()
  await page.getByText('The invitation is taken back.').waitFor()
  expect(await rowsOf(id, 'invitations', boss.token)).toHaveLength(1)

  await page.getByRole('link', { name: 'Members' }).click()
  await page.getByRole('link', { name: 'Mia Person' }).click()
  await sound()
  await page.getByLabel('Role', { exact: true }).selectOption('admin')
  await page.getByRole('button', { name: 'Change the role' }).click()
  await confirm(0)
  await page.getByText('The role is changed.').waitFor()
  expect(await rolesOf(id, [mia])).toEqual(['admin'])

  await page.goto(`/o/${id}/company/substitutes`)
  await page.getByText('No substitutes').waitFor()
  await page.getByRole('link', { name: 'Name a substitute' }).click()
  await page.getByLabel('Substitute', { exact: true }).selectOption({ label: 'Mia Person (admin)' })
  await page.getByLabel('From').fill(dayIn(3))
  await page.getByLabel('Until').fill(dayIn(2))
  await sound()
  await page.getByRole('button', { name: 'Name a substitute' }).click()
  await page.getByRole('alert').getByText('The last day is before the first.').waitFor()
  await page.getByLabel('Until').fill(dayIn(3)) // one day is enough
  await page.getByRole('button', { name: 'Name a substitute' }).click()
  await confirm(1)
  await page.getByText('Named. Both get a mail.').waitFor()
  await sound()
  const [{ from, until, ...named }] = await rowsOf(id, 'substitutions', boss.token)
  expect(named).toMatchObject({ user_id: boss.userId, substitute_id: mia.userId, status: 'planned' })
  expect([from, until].map((at) => at.slice(0, 16))).toEqual([`${dayIn(3)}T00:00`, `${dayIn(4)}T00:00`])
  await page.getByText('End it now').click()
  await page.getByRole('button', { name: 'End it', exact: true }).click()
  await page.getByText('Ended.').waitFor()
  expect((await rowsOf(id, 'substitutions', boss.token))[0].status).toBe('ended')
})

test('of a company nothing is seen by strangers, and members see no way to what they may not do', async () => {
  const boss = await person()
  const { id } = await organization(boss)
  const [member, stranger] = [await person(), await person()]
  await join(id, member, 'member')
  const pages = ['', '/people', '/people/invite', '/people/invitations', '/substitutes', '/substitutes/new']
  for (const path of [...pages, `/people/${boss.userId}`]) {
    const cookie = { headers: { cookie: `session=${stranger.token}` } }
    expect((await fetch(`${pagesUrl}/o/${id}/company${path}`, cookie)).status).toBe(404)
  }
  const { page } = await openTab(member)
  await page.goto(`/o/${id}/company/people/${boss.userId}`)
  expect(await page.locator('main form').count()).toBe(0)
  await page.goto(`/o/${id}/company`)
  expect(await page.getByRole('link', { name: 'Settings' }).count()).toBe(0)
})

test('settings are changed one by one, a logo is set, a service ID taken, and the activity tells it', async () => {
  const boss = await withAuthenticator()
  const { id } = (await api('POST', '/organizations', { token: boss.token, body: { name: 'Shop' } })).body
  const tab = await openTab(boss, { viewport: DESK, colorScheme: 'dark' })
  const { page } = tab
  await page.goto(`/o/${id}/company`)
  await page.getByRole('link', { name: 'Settings' }).click()
  await expectSound(tab)
  await api('PATCH', `/organizations/${id}`, { token: boss.token, body: { tax_id: '12/345' } }) // meanwhile
  await page.getByLabel('Address, as on letters').fill('Marktplatz 1\nKöln')
  await page.getByRole('button', { name: 'Save' }).first().click()
  await page.getByText('Saved.').waitFor()
  const { body } = await api('GET', `/organizations/${id}`, { token: boss.token })
  expect(body).toMatchObject({ company_address: 'Marktplatz 1\nKöln', tax_id: '12/345' })

  await page
    .getByLabel('Logo')
    .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: png(4, 4, black(4, 4)) })
  await page.getByRole('button', { name: 'Set the logo' }).click()
  await page.getByAltText('Logo of the company').waitFor()
  await expectSound(tab)

  await page.getByLabel('Days of reminders').fill('soon')
  await page.getByRole('button', { name: 'Save' }).last().click()
  await page.getByText('Days are whole numbers').first().waitFor()
  await page.getByLabel('Days of reminders').fill('14, -3')
  await page.getByLabel('Amount that is paid meanwhile').fill('1,000.50')
  await page.getByLabel('Time zone').fill('Europe/Berlin')
  await page.getByRole('button', { name: 'Save' }).last().click()
  await page.getByLabel('Code of your authenticator').fill(await boss.code())
  await page.getByRole('button', { name: 'Confirm with code' }).click()
  await page.getByText('Saved.').waitFor()
  const settings = (await api('GET', `/organizations/${id}/settings`, { token: boss.token })).body
  expect(settings).toMatchObject({
    invoice_reminder_days: [-3, 14],
    account_change_free_amount: { amount: '1000.50', currency: 'EUR' },
    time_zone: 'Europe/Berlin',
    requires_authenticator: false,
  })

  await page.getByText('Take a service ID').click()
  await page.getByLabel('Service ID').fill(`Shop-${id.slice(0, 8)}`)
  await page.getByRole('button', { name: 'Take it' }).click()
  await page.getByText(`shop-${id.slice(0, 8)}`).waitFor()

  await chained(id)
  await page.goto(`/o/${id}/company/activity`)
  await page.getByText('Company: settings changed').waitFor()
  await page.getByText('Company: logo set').waitFor()
  await expectSound(tab)
  await page.getByLabel('About').selectOption({ label: 'Payment' })
  await page.getByRole('button', { name: 'Find' }).click()
  await page.getByText('Nothing fits this search.').waitFor()
})
