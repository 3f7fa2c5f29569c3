/** SIGKILL to the worker while it writes an invoice, and while it reminds: one PDF, one mail of each kind. */
import { beforeAll, expect, test } from 'vitest'
import { organization, person } from '../../support/api.ts'
import { billingContact } from '../../support/billing-contacts.ts'
import { owner } from '../../support/database.ts'
import { installGates } from '../../support/faults/gates.ts'
import { MortalWorker } from '../../support/faults/mortal.ts'
import { faultsOfAll } from '../../support/histories/replayed.ts'
import { sentTo } from '../../support/identity/identity.ts'
import { historyOf, invoiceOf, readInvoice, step } from '../../support/invoices/invoices.ts'
import { until } from '../../support/until.ts'

const boss = await person()
/** The heartbeat timeout of a dead worker. */
const PATIENCE_MS = 90_000
const worker = new MortalWorker()

/** A draft due in `dueIn` days, of its own organization. */
async function drafted(dueIn = 30) {
  const { id: organizationId } = await organization(boss, 'Seller')
  const email = `customer-${organizationId}@example.com`
  const contact = await billingContact(boss, organizationId, { emails: [email] })
  const [days] = await owner`
    select business_now()::date::text as issue_date, (business_now()::date + ${dueIn}::int)::text as due_date`
  const { id } = await invoiceOf(boss, organizationId, contact.id, days)
  return { id: id as string, organizationId, email }
}
type Drafted = Awaited<ReturnType<typeof drafted>>

const submit = async ({ id }: Drafted) => expect((await step(boss, id, 'submit')).status).toBe(200)
const happened = ({ id }: Drafted, type: string) =>
  until(`${type} of ${id}`, async () => (await historyOf(boss, id)).includes(type), PATIENCE_MS)

async function outcome({ id, email }: Drafted) {
  const [kept] = await owner<{ files: number; numbers: number }[]>`
    select (select count(*)::int from files f join invoices i on f.id in (i.pdf_file_id, i.xml_file_id) where i.id = ${id})
        as files, (select last from invoice_numbers n where n.organization_id = i.organization_id) as numbers
    from invoices i where i.id = ${id}`
  const { number, state } = await readInvoice(boss, id)
  return { ...kept, number, state, mails: (await sentTo(email)).length, log: await historyOf(boss, id) }
}
const SENT = ['invoice.created', 'invoice.sent', 'invoice.written', 'invoice.mailed', 'invoice.mail_delivered']
const DONE = { files: 1, numbers: 1, number: 'INV-000001', state: 'sent', mails: 1, log: SENT }

beforeAll(async () => {
  await installGates({
    settle: { on: 'update on invoices', when: 'old.pdf_file_id is null and new.pdf_file_id is not null' },
    look: { on: 'insert on invoice_mails' },
  })
  await worker.start()
})

test.each(['settle', 'look'] as const)(
  'a worker that dies as it writes an invoice at %s: another one goes on',
  async (moment) => {
    const scene = await drafted()
    await worker.dieAt(moment, scene.organizationId, () => submit(scene))
    await happened(scene, 'invoice.mail_delivered')
    expect(await outcome(scene)).toEqual(DONE)
  },
)

test('a worker that dies as it reminds, and a restart in the middle: the customer is reminded once', async () => {
  const scene = await drafted(4)
  await submit(scene)
  await happened(scene, 'invoice.mail_delivered')
  await worker.dieAt('look', scene.organizationId, async () => {
    // as if its reminder were due
    await owner`update invoices set due_date = due_date - 2, sent_at = sent_at - interval '9 days' where id = ${scene.id}`
    await owner`update processes set look_at = business_now() where id = ${scene.id}`
  })
  await happened(scene, 'invoice.reminded')
  expect(await worker.stop()).toBe(0)
  await worker.start()
  await until('its mail', async () => (await sentTo(scene.email)).length === 2, PATIENCE_MS)
  await step(boss, scene.id, 'mark-paid')
  const { log, mails } = await outcome(scene)
  expect([mails, log.filter((type) => type === 'invoice.reminded')]).toEqual([2, ['invoice.reminded']])
})

test('every history is replayed by the code that wrote it', async () => {
  expect(await faultsOfAll(3)).toEqual([])
  expect(await worker.stop()).toBe(0)
})
