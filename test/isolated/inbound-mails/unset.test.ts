/** An installation that takes no bills by mail. */
import { expect, test } from 'vitest'

delete process.env['BILLS_MAIL_DOMAIN']
const { api, organization, person } = await import('../../support/api.ts')
const { handIn } = await import('../../support/inbound-mails.ts')

test('without a domain no address is opened, and no mail is taken', async () => {
  const boss = await person()
  const { id } = await organization(boss, 'Unset')
  const path = `/organizations/${id}/bill-mailboxes`
  const opened = await api('POST', path, { token: boss.token, body: { name: 'Bills' } })
  const listed = await api('GET', path, { token: boss.token })
  for (const { status, body } of [opened, listed]) {
    expect([status, body.error.type, body.error.details.reason]).toEqual([422, 'unprocessable_entity', 'no_bill_mail'])
  }
  expect(await handIn('bills+x@bills.test', 'ann@supplier.example', Buffer.from('x'))).toBe(422)
})
