/** A payment at each moment of it, from its request to its order: made, forbidden, and gone on with. */
import { expect } from 'vitest'
import { bank, main } from '../../../activities/index.ts'
import { executeScheduled } from '../../../activities/schedules.ts'
import type { BatchId, OrganizationId, PaymentId } from '../../../domain/ids.ts'
import { ANNA, BERT, addAccount, bankAt, batchOf, payerOfTwo, setSettings, toContact } from '../account-changes.ts'
import { type Answer, type TestPerson, approve } from '../api.ts'
import { submit, takeStep } from '../batches/batches.ts'
import { owner } from '../database.ts'
import { payoutAt } from '../partners/partners.ts'
import { execute, quoteOf } from './quotes.ts'
import { businessDay } from './schedules.ts'

const EUR = { amount: '10.00', currency: 'EUR' }
const acknowledged = { acknowledge_payee_check: true }

export type Scene = {
  readonly boss: TestPerson
  readonly id: OrganizationId
  readonly contact: string
  readonly account: string
}

/** Makes a payer and a contact of another name and a new account: each policy can forbid its payment. */
type Before = object | ((organizationId: string) => Promise<unknown>)

async function scene(before: Before): Promise<Scene> {
  const { id, boss, contactOf } = await payerOfTwo()
  const holder = { account_holder_name: 'No Match GmbH' }
  const { id: contact } = await contactOf({}, bankAt(ANNA, holder))
  const settings = typeof before === 'function' ? {} : before
  expect((await setSettings(boss, id, { account_change_hours: 0, ...settings })).status).toBe(200)
  if (typeof before === 'function') await before(id)
  await accepted(await asked({ boss, contact }), boss)
  const { body: added } = await addAccount(boss, contact, bankAt(BERT, { ...holder, default: true }))
  return { boss, id: id as OrganizationId, contact, account: added.id }
}

const asked = async ({ boss, contact }: Pick<Scene, 'boss' | 'contact'>, more: object = {}): Promise<Answer> =>
  execute(boss, (await quoteOf(boss, contact, EUR, { side: 'landing' })).quote_id, { ...acknowledged, ...more })

async function accepted({ status, body }: Answer, boss: TestPerson) {
  expect([status, body.error]).toEqual([201, undefined])
  expect((await approve(boss, body)).status).toBe(200)
  return body as { id: PaymentId }
}

const said = ({ status, body }: Answer): string => (body.error ? body.error.type : `goes on: ${status}`)

/** The moments: each makes what comes right before it, and answers what passes then. */
const MOMENTS = {
  async requested(at: Scene) {
    const { quote_id } = await quoteOf(at.boss, at.contact, EUR, { side: 'landing' })
    return async () => said(await execute(at.boss, quote_id, acknowledged))
  },
  async approved(at: Scene) {
    const { body } = await asked(at)
    return async () => said(await approve(at.boss, body))
  },
  async its_day(at: Scene) {
    const { id } = await accepted(await asked(at, { execute_on: await businessDay() }), at.boss)
    return async () => {
      await comes(id)
      await executeScheduled({ id, organizationId: at.id })
      return standing(id)
    }
  },
  async page_of_a_batch(at: Scene) {
    const { id } = await submitted(at)
    return async () => {
      await takeStep({ id, organizationId: at.id })
      return outcomeOf(id)
    }
  },
  async day_of_a_batch(at: Scene) {
    const { id, approval } = await submitted(at, { execute_on: await businessDay() })
    return async () => {
      await comes(approval)
      await takeStep({ id, organizationId: at.id })
      return outcomeOf(id)
    }
  },
  async order(at: Scene) {
    const { id } = await accepted(await asked(at), at.boss)
    const ref = { id, organizationId: at.id }
    return async () => {
      await bank.orderPayout(ref)
      const view = await main.viewPayment(ref)
      if ('payee_check_due' in view && view.payee_check_due) await bank.checkPayee(ref)
      if ('payee_refused' in view && view.payee_refused) await main.failHeldPayee(ref)
      await bank.orderPayout(ref)
      return (await payoutAt('bank', id)) ? 'goes on: ordered' : standing(id)
    }
  },
}
export type Moment = keyof typeof MOMENTS
export type Forbid = (at: Scene) => Promise<unknown>

/** Lets the day of a payment or batch come. */
const comes = (id: string) => owner`
  update payment_schedules set try_at = business_now() - interval '1 minute' where id = ${id}`

async function standing(id: string): Promise<string> {
  const [row] = await owner<{ status: string; detail: string; refused: string | null }[]>`
    select p.status, p.status_detail as detail, s.refused
    from payments p left join payment_schedules s on s.id = p.id where p.id = ${id}`
  if (row?.status === 'scheduled' && row.refused) return `put off: ${row.refused}`
  return row?.status === 'submitted' ? 'goes on: submitted' : `${row?.status}: ${row?.detail}`
}

async function submitted(at: Scene, more: object = {}): Promise<{ id: BatchId; approval: string }> {
  const draft = await batchOf(at.boss, at.id, toContact(at.contact))
  await bank.checkBatchPayees({ id: draft as BatchId, organizationId: at.id })
  const { status, body } = await submit(at.boss, draft, { ...acknowledged, ...more })
  expect([status, body.error]).toEqual([200, undefined])
  expect((await approve(at.boss, body)).status).toBe(200)
  return { id: draft as BatchId, approval: body.approval_request_id }
}

async function outcomeOf(id: string): Promise<string> {
  const [row] = await owner<{ batch: string; status: string | null; detail: string; refused: string | null }[]>`
    select b.status as batch, p.status, p.status_detail as detail, s.refused
    from payment_batches b join payment_batch_rows r on r.payment_batch_id = b.id
    left join payments p on p.id = r.payment_id left join payment_schedules s on s.id = b.approval_request_id
    where b.id = ${id}`
  if (row?.status) return row.status === 'submitted' ? 'goes on: submitted' : `${row.status}: ${row.detail}`
  const why = row?.refused ? `: ${row.refused}` : ''
  return row?.batch === 'processing' ? `waits${why}` : `${row?.batch}${why}`
}

const ALL = Object.entries(MOMENTS) as [Moment, (at: Scene) => Promise<() => Promise<string>>][]

/** Prepares a payment for each moment, forbids it, and answers what passes at each. */
export async function passes(before: Before, forbid: (scenes: readonly Scene[]) => Promise<unknown>) {
  const prepared = await Promise.all(
    ALL.map(async ([moment, prepare]) => {
      const at = await scene(before)
      return { moment, at, goesOn: await prepare(at) }
    }),
  )
  await forbid(prepared.map(({ at }) => at))
  const found: Partial<Record<Moment, string>> = {}
  for (const { moment, goesOn } of prepared) found[moment] = await goesOn()
  return found
}
