/** Pages of bills by mail: an address is opened, a mail is shown as foreign text, and its sender is accepted. */
import { expect, test } from 'vitest'
import { api, organization, person } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { handIn, mailsOf, newSender, whenMailRead } from '../../support/inbound-mails.ts'
import { send, show } from '../../support/pages/addresses.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

const boss = await person()
const { id } = await organization(boss, 'Payer')
const session = boss.token
const page = async (path: string) => (await show(path, { session })).text()
const post = (path: string, fields: Record<string, string>) => send(path, new URLSearchParams(fields), { session })

test('an address is opened, and a mail that came is looked at, accepted and seen at the desk', async () => {
  expect((await post(`/o/${id}/mailboxes`, { name: ' ', key: 'one-mailbox-page' })).status).toBe(400)
  expect((await post(`/o/${id}/mailboxes`, { name: 'Suppliers <i>', key: 'two-mailbox-page' })).status).toBe(303)
  const { data } = (await api('GET', `/organizations/${id}/bill-mailboxes`, { token: boss.token })).body
  const [{ address, id: mailboxId }] = data
  const list = await page(`/o/${id}/mails`)
  expect(list).toContain(address)
  expect(list).toContain('Suppliers &lt;i&gt;')

  const sender = newSender()
  const subject = 'Pay <script>now</script>'
  await handIn(address, sender, Buffer.from(`From: ${sender}\r\nSubject: ${subject}\r\n\r\nHello\r\n`))
  const mail = await whenMailRead(boss, id, subject)
  const html = await page(`/o/${id}/mails/${mail.id}`)
  expect(html).toContain('Pay &lt;script&gt;now&lt;/script&gt;')
  expect(html).toContain('This mail has no file.')
  expect(await page('/desk')).toContain(`/o/${id}/mails/${mail.id}`)
  const stranger = await person()
  expect((await show(`/o/${id}/mails/${mail.id}`, { session: stranger.token })).status).toBe(404)
  const accepted = await post(`/o/${id}/mails/${mail.id}/accept`, { remember: 'always' })
  expect(accepted.headers.get('location')).toBe(`/o/${id}/mails/${mail.id}?done=accepted`)
  expect((await mailsOf(boss, id))[0].status).toBe('accepted')
  const known = () => owner`select address from mail_senders where organization_id = ${id}`
  expect(await known()).toEqual([{ address: sender }])
  for (let times = 0; times < 2; times += 1)
    expect((await post(`/o/${id}/mails/${mail.id}/forget`, {})).status).toBe(303)
  expect(await known()).toEqual([])
  expect((await post(`/o/${id}/mails/${mail.id}/refuse`, {})).status).toBe(409)
  expect(await page('/desk')).not.toContain(`/mails/${mail.id}`)

  expect((await post(`/o/${id}/mailboxes/${mailboxId}/end`, {})).status).toBe(303)
  expect(await handIn(address, sender, Buffer.from('Subject: Late\r\n\r\n'))).toBe(404)
})
