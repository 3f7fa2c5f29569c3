/** SIGKILL and cut connections at each step of an invoice: one number, one PDF, one mail of each kind. */
import { beforeAll, expect, test } from 'vitest'
import { startPostgres } from '../../support/processes.ts'
import { until } from '../../support/until.ts'

await startPostgres() // before anything reads the environment
const { approve, organization, person } = await import('../../support/api.ts')
const { setRules } = await import('../../support/approvals/approvals.ts')
const { billingContact } = await import('../../support/billing-contacts.ts')
const { owner } = await import('../../support/database.ts')
const { holdCommits } = await import('../../support/faults/faults.ts')
const { closeGate, installGates } = await import('../../support/faults/gates.ts')
const { MortalWorker } = await import('../../support/faults/mortal.ts')
const { faultsOfAll } = await import('../../support/histories/replayed.ts')
const { sentTo } = await import('../../support/identity/identity.ts')
const { historyOf, invoiceOf, readInvoice, step } = await import('../../support/invoices/invoices.ts')

const boss = await person({ authenticator: true })
/** The heartbeat timeout of a dead worker. */
const PATIENCE_MS = 90_000
const worker = new MortalWorker()

/** A draft due in `dueIn` days, of its own organization; with `approval`, its owner approves it. */
async function drafted({ approval = false, dueIn = 30 } = {}) {
  const { id: organizationId } = await organization(boss, 'Seller')
  const steps = [{ required: 1, roles: ['owner'] }]
  if (approval) await setRules(organizationId, boss, [{ action_type: 'billing_invoice', steps }])
  const email = `customer-${organizationId}@example.com`
  const contact = await billingContact(boss, organizationId, { emails: [email] })
  const [days] = await owner`
    select business_now()::date::text as issue_date, (business_now()::date + ${dueIn}::int)::text as due_date`
  const { id } = await invoiceOf(boss, organizationId, contact.id, days)
  return { id: id as string, organizationId, email }
}
type Drafted = Awaited<ReturnType<typeof drafted>>

const submit = async ({ id }: Drafted) => {
  const { status, body } = await step(boss, id, 'submit')
  expect(status).toBe(200)
  return body
}
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
    decide: { on: 'update on invoices', when: "old.status <> 'sent' and new.status = 'sent'" },
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

test('what is submitted without a worker is sent once there is one', async () => {
  await worker.kill()
  const scene = await drafted()
  await submit(scene)
  await worker.start()
  await happened(scene, 'invoice.mail_delivered')
  expect(await outcome(scene)).toEqual(DONE)
})

test('a worker that dies as it reminds, and a restart in the middle: the customer is reminded once', async () => {
  const scene = await drafted({ dueIn: 4 })
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

test('a submit, and an approval, whose connection is killed as the number is given: it is given once', async () => {
  const [submitted, approved] = [await drafted(), await drafted({ approval: true })]
  const waiting = await submit(approved)
  for (const [scene, deed] of [
    [submitted, () => step(boss, submitted.id, 'submit')],
    [approved, () => approve(boss, waiting)],
  ] as const) {
    const gate = await closeGate('decide', scene.organizationId)
    const answer = deed()
    const backend = await gate.waiting()
    await owner`select pg_terminate_backend(${backend})`
    await gate.open()
    expect((await answer).status).toBe(200)
    await happened(scene, 'invoice.mail_delivered')
    const { log: _log, ...done } = DONE
    expect(await outcome(scene)).toMatchObject(done)
  }
})

test('what was committed as its connection broke is done once, and answered: a submit, a mail, a payment', async () => {
  const scene = await drafted()
  for (const [name, type] of [
    ['submit', 'invoice.sent'],
    ['resend', 'invoice.resent'],
    ['mark-paid', 'invoice.paid'],
  ] as const) {
    await worker.kill() // no one else commits
    const commits = await holdCommits()
    const answer = step(boss, scene.id, name)
    const pid = await until('its commit to be held', async () => {
      const [row] = await owner<{ pid: number }[]>`
        select pid from pg_stat_activity where wait_event = 'SyncRep' and query ~* '^commit'`
      return row?.pid
    })
    await owner`select pg_terminate_backend(${pid})`
    await commits.release()
    const { status, body } = await answer
    expect([name, status, body.error]).toEqual([name, 200, undefined])
    await worker.start()
    await happened(scene, 'invoice.mail_delivered')
    expect((await historyOf(boss, scene.id)).filter((one) => one === type)).toEqual([type])
  }
  await until('both mails', async () => (await outcome(scene)).mails === 2, PATIENCE_MS)
})

test('every history is replayed by the code that wrote it', async () => {
  expect(await faultsOfAll(6)).toEqual([])
  expect(await worker.stop()).toBe(0)
})
