import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { sendMessage } from '../../../services/messages/messages.ts'
import { renderHtml } from '../../../domain/messages/mail-html.ts'
import { renderText } from '../../../domain/messages/mail.ts'
import { transaction } from '../../../db/postgres/sql.ts'
import { api, baseUrl } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { expectRefusal } from '../../support/http/refusals.ts'
import { mailOf } from '../../support/messages/mails.ts'

const newEmail = () => `mailbox-${randomUUID()}@example.com`
const mailbox = (email: string, cursor?: string) =>
  api('GET', `/sandbox/messages?to=${encodeURIComponent(email)}${cursor ? `&cursor=${cursor}` : ''}`)
const send = (recipient: string, more: object = {}) =>
  transaction((tx) =>
    sendMessage(tx, { recipient, channel: 'email', mail: mailOf('A secret subject', 'It is quite-secret'), ...more }),
  )

test('without a mail server a mail waits in the mailbox, whole, and at rest only its recipient is readable', async () => {
  const email = newEmail()
  const url = 'https://app.test/confirm#quite-secret'
  const secrets = { code: '314159', action: { label: 'Confirm', url } }
  const mail = mailOf('A secret subject', 'It is quite-secret: 314159', secrets)
  await send(email, { token: 'quite-secret', mail })
  const [id, sent_at] = [expect.any(String), expect.any(String)]
  const said = { subject: 'A secret subject', text: renderText(mail), attachments: [] }
  const whole = { ...said, token: 'quite-secret', code: '314159', url }
  expect((await mailbox(email)).body.data).toEqual([{ id, to: email, channel: 'email', ...whole, sent_at }])
  const { id: shown } = (await mailbox(email)).body.data[0]
  const page = await fetch(`${baseUrl}/api/v1/sandbox/messages/${shown}/html`)
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=UTF-8'])
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(await page.text()).toBe(renderHtml(mail))
  const [row] = await owner`select m::text as text, m.sealed from messages m where recipient = ${email}`
  expect(row?.['text']).toContain(email)
  for (const secret of ['314159', 'quite-secret', 'secret subject'])
    expect(`${row?.['text']} ${row?.['sealed']}`).not.toContain(secret)
  expect(String(row?.['sealed'])).not.toContain(email)
})

test('what is discarded, queued or delivered is not shown, and is no cursor', async () => {
  const email = newEmail()
  await send(email, { discarded: true })
  await owner`insert into messages (recipient, channel, status, sealed, asks)
    select ${email}, 'email', s, '\\x00', 1 from unnest(array['queued', 'sent', 'failed']) s`
  expect((await mailbox(email)).body.data).toEqual([])
  for (const { id } of await owner`select id from messages where recipient = ${email}`)
    expect(await mailbox(email, id)).toMatchObject({ status: 400, body: { error: { type: 'invalid_request' } } })
  for (const { id } of await owner`select id from messages where recipient = ${email}`)
    expectRefusal(await api('GET', `/sandbox/messages/${id}/html`), 'not_found')
})
