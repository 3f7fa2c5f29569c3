/** SIGKILL and cut connections at each step of a credit note: one number, one credit, one PDF, one mail. */
import { beforeAll, expect, test } from 'vitest'
import { startPostgres } from '../../support/processes.ts'
import { until } from '../../support/until.ts'

await startPostgres() // before anything reads the environment
const { approve, organization, person } = await import('../../support/api.ts')
const { setRules } = await import('../../support/approvals/approvals.ts')
const { billingContact } = await import('../../support/billing-contacts.ts')
const { creditHistoryOf, creditNoteOf, creditStep, readCreditNote } =
  await import('../../support/credit-notes/credit-notes.ts')
const { owner } = await import('../../support/database.ts')
const { closeGate, installGates } = await import('../../support/faults/gates.ts')
const { MortalWorker } = await import('../../support/faults/mortal.ts')
const { faultsOfAll } = await import('../../support/histories/replayed.ts')
const { sentTo } = await import('../../support/identity/identity.ts')
const { historyOf, invoiceOf, readInvoice, step } = await import('../../support/invoices/invoices.ts')

const boss = await person({ authenticator: true })
/** The heartbeat timeout of a dead worker. */
const PATIENCE_MS = 90_000
const worker = new MortalWorker()

/** A draft of 72.50 of an invoice that was mailed, of its own organization; with `approval`, its owner approves it. */
async function drafted({ approval = false } = {}) {
  const { id: organizationId } = await organization(boss, 'Seller')
  const email = `customer-${organizationId}@example.com`
  const contact = await billingContact(boss, organizationId, { emails: [email] })
  const { id: invoiceId } = await invoiceOf(boss, organizationId, contact.id)
  await step(boss, invoiceId, 'submit')
  await until('the invoice is mailed', async () =>
    (await historyOf(boss, invoiceId)).includes('invoice.mail_delivered'),
  )
  const steps = [{ required: 1, roles: ['owner'] }]
  if (approval) await setRules(organizationId, boss, [{ action_type: 'billing_invoice', steps }])
  const { id } = await creditNoteOf(boss, invoiceId, '72.50')
  return { id: id as string, invoiceId: invoiceId as string, organizationId, email }
}
type Drafted = Awaited<ReturnType<typeof drafted>>

const submit = async ({ id }: Drafted) => {
  const { status, body } = await creditStep(boss, id, 'submit')
  expect(status).toBe(200)
  return body
}
const delivered = ({ id }: Drafted) =>
  until(
    `delivery of ${id}`,
    async () => (await creditHistoryOf(boss, id)).includes('credit_note.mail_delivered'),
    PATIENCE_MS,
  )

async function outcome({ id, invoiceId, email }: Drafted) {
  const [kept] = await owner<{ files: number; numbers: number }[]>`
    select (select count(*)::int from files f where f.id in (n.pdf_file_id, n.xml_file_id)) as files,
      (select last from credit_note_numbers l where l.organization_id = n.organization_id) as numbers
    from credit_notes n where n.id = ${id}`
  const { number, state } = await readCreditNote(boss, id)
  const { credited } = await readInvoice(boss, invoiceId)
  const mails = (await sentTo(email)).length - 1 // and that of the invoice
  return { ...kept, number, state, credited, mails }
}
const DONE = { files: 1, numbers: 1, number: 'CN-000001', state: 'sent', credited: '72.50', mails: 1 }

beforeAll(async () => {
  await installGates({
    settle: { on: 'update on credit_notes', when: 'old.pdf_file_id is null and new.pdf_file_id is not null' },
    look: { on: 'insert on invoice_mails' },
    decide: { on: 'update on credit_notes', when: "old.status <> 'sent' and new.status = 'sent'" },
  })
  await worker.start()
})

test.each(['settle', 'look'] as const)(
  'a worker that dies as it writes a credit note at %s: another one goes on',
  async (moment) => {
    const scene = await drafted()
    await worker.dieAt(moment, scene.organizationId, () => submit(scene))
    await delivered(scene)
    expect(await outcome(scene)).toEqual(DONE)
  },
)

test('what is submitted without a worker is written and mailed once there is one', async () => {
  const scene = await drafted()
  await worker.kill()
  await submit(scene)
  await worker.start()
  await delivered(scene)
  expect(await outcome(scene)).toEqual(DONE)
})

test('a submit, and an approval, whose connection is killed as the number is given: it credits once', async () => {
  const [submitted, approved] = [await drafted(), await drafted({ approval: true })]
  const waiting = await submit(approved)
  for (const [scene, deed] of [
    [submitted, () => creditStep(boss, submitted.id, 'submit')],
    [approved, () => approve(boss, waiting)],
  ] as const) {
    const gate = await closeGate('decide', scene.organizationId)
    const answer = deed()
    const backend = await gate.waiting()
    await owner`select pg_terminate_backend(${backend})`
    await gate.open()
    expect((await answer).status).toBe(200)
    await delivered(scene)
    expect(await outcome(scene)).toEqual(DONE)
  }
})

test('every history is replayed by the code that wrote it', async () => {
  expect(await faultsOfAll(6)).toEqual([])
  expect(await worker.stop()).toBe(0)
})
