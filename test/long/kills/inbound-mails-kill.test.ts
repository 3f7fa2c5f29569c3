/** The worker dies while mails are read: each mail is read, and each file of it is one bill. */
import { beforeAll, expect, test } from 'vitest'
import { organization, person } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { handIn, mailBytes, mailbox, mailsOf, newSender } from '../../support/inbound-mails.ts'
import { startWorker } from '../../support/processes.ts'
import { until } from '../../support/until.ts'

const MAILS = 20
const boss = await person({ authenticator: true })
const { id } = await organization(boss, 'Killed')
const { address } = await mailbox(boss, id)

const xmlOf = (number: string) => ({
  filename: `${number}.xml`,
  content: `<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"><ID>${number}</ID></Invoice>`,
})
const count = async (where: string) =>
  (await owner.unsafe<{ count: number }[]>(`select count(*)::int as count from ${where} organization_id = '${id}'`))[0]
    ?.count

let between: number | undefined
beforeAll(async () => {
  const first = await startWorker()
  for (let n = 0; n < MAILS; n += 1) {
    const attachments = [xmlOf(`${n}-a`), xmlOf(`${n}-b`)]
    const raw = await mailBytes({ from: newSender(), to: address, subject: String(n), attachments })
    expect(await handIn(address, 'ann@supplier.example', raw)).toBe(204)
  }
  await until('some mails are read', async () => (await count(`inbound_mails where status <> 'received' and`))! >= 3)
  await first.kill()
  between = await count(`inbound_mails where status = 'received' and`)
  await startWorker()
}, 120_000)

test('mails that a killed worker was reading are read by the next one, and each file is one bill', async () => {
  expect(between).toBeGreaterThan(0)
  await until('all are read', async () => (await count(`inbound_mails where status = 'received' and`)) === 0, 120_000)
  const mails = await mailsOf(boss, id)
  expect(mails.map(({ status }) => status)).toEqual(Array(MAILS).fill('unknown_sender'))
  const files = mails.flatMap((mail) => mail.files)
  expect(files.map(({ outcome }) => outcome)).toEqual(Array(2 * MAILS).fill('bill'))
  expect(new Set(files.map(({ bill_id }) => bill_id)).size).toBe(2 * MAILS)
  expect(await count('bills where')).toBe(2 * MAILS)
}, 180_000)
