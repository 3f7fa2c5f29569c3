/** Every process: its line comes with its row, the audit finds a missing one, and its view only reads. */
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { main } from '../../../activities/index.ts'
import { depositIdOf } from '../../../domain/deposits/deposit.ts'
import { type Flow, isDriven } from '../../../domain/flow.ts'
import { PROCESSES } from '../../../domain/registries/flows.ts'
import type { DepositId, OrganizationId } from '../../../domain/ids.ts'
import type { AtRest, ProcessRef, Standing } from '../../../domain/process.ts'
import { processFaults } from '../../../db/processes/processes.ts'
import { type Fragment, type Reader, type Transaction, sql, transaction, rowsOf } from '../../../db/postgres/sql.ts'
import { owner } from '../../support/database.ts'
import { calledAbout } from '../../support/deposits/deposits.ts'
import { everyNth, fullScale } from '../../support/model-runs.ts'
import { makeRowOfEach } from '../../support/runs/row-of-each.ts'

vi.hoisted(() => {
  process.env['SMTP_URL'] = 'smtp://127.0.0.1:1' // mails stay queued
  process.env['SANDBOX_PARTNERS'] = 'screening'
  // the service acts as its own role, but a trial may first write what no request does
  process.env['DATABASE_URL'] = process.env['MIGRATION_DATABASE_URL']
})

/** No worker runs here: no one looks at the rows. */
beforeAll(makeRowOfEach)

type Found = AtRest | Standing | undefined
type Read = (reader: Reader, ref: ProcessRef) => Promise<Found>

const views = Object.values(main).flatMap((activity) =>
  // each view reads by the ref of its own noun
  'read' in activity ? [{ flow: activity.flow, read: activity.read as unknown as Read }] : [],
)

/** The view of a process; throws if it has none. */
function readOf(workflow: string): Read {
  const view = views.find(({ flow }) => flow.workflow === workflow)
  if (!view) throw new Error(`nothing reads a row of ${workflow}`)
  return view.read
}

const processes: readonly Flow[] = Object.values(PROCESSES)
const workflowsOf = (flows: readonly Pick<Flow, 'workflow'>[]) => flows.map(({ workflow }) => workflow).toSorted()
test('every process has one view', () =>
  expect(workflowsOf(views.map(({ flow }) => flow))).toEqual(workflowsOf(processes)))

const named = processes.map((flow) => [flow.noun, flow] as const)

type Driven = {
  id: string
  status: string
  workflow: string | null
  organization_id: string | null
  owner: string | null
}
const drivenRows = ({ table, driven: states }: Flow) => owner<Driven[]>`
  select r.id, r.status, p.workflow, p.organization_id, to_jsonb(r) ->> 'organization_id' as owner
  from ${owner(table)} r left join processes p on p.id = r.id where r.status = any (${[...states]})`

describe('a row that is written in a driven state has a process, of its own workflow and organization', () => {
  test.each(named)('%s', async (_, machine) => {
    const rows = await drivenRows(machine)
    expect(rows.length).toBeGreaterThan(0)
    for (const row of rows) {
      expect(row).toMatchObject({ workflow: machine.workflow, organization_id: row.owner })
    }
  })

  test('the invitations that wait for approval, and for an answer', async () => {
    const rows = await drivenRows(PROCESSES.invitation)
    expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['pending_approval', 'pending']))
  })

  test('so the audit finds nothing', async () => {
    expect(await processFaults()).toEqual([])
  })
})

describe('the audit misses the process of a row in exactly those states that its flow says are driven', () => {
  test.each(named)('%s', async (_, machine) => {
    const { table, states, workflow } = machine
    const [row] = await drivenRows(machine)
    if (!row) throw new Error('one was made')
    const missed: string[] = []
    const undo = new Error('undo')
    const looked = owner.begin(async (tx) => {
      await tx`set local session_replication_role = replica`
      for (const name of await checksOf(table)) await tx`alter table ${tx(table)} drop constraint ${tx(name)}`
      await tx`delete from processes where id = ${row.id}`
      for (const state of states) {
        await tx`update ${tx(table)} set status = ${state} where id = ${row.id}`
        const faults = await processFaults(tx)
        if (faults.some((one) => one.check === 'no_process' && one.workflow === workflow && one.id === row.id))
          missed.push(state)
      }
      throw undo
    })
    await expect(looked).rejects.toBe(undo)
    expect(missed).toEqual(states.filter((state) => isDriven(machine, state)))
  })
})

describe.each(named)('the view of a row of %s', (_, flow) => {
  const { table, states, workflow } = flow
  const read = readOf(workflow)

  test.each(states)('that is %s changes nothing, names no instant, and waits for the future', async (state) => {
    const rows = await owner<Row[]>`
      select id, to_jsonb(r) ->> 'organization_id' as organization_id from ${owner(table)} r
      order by status = ${state} desc, id limit ${fullScale ? 4 : 2}`
    const seen: Found[] = []
    for (const facts of everyNth(FACTS, 4, states.indexOf(state))) {
      for (const row of rows) seen.push(await trial(flow, row, { state, facts, read }))
    }
    expect(new Set(seen.map((found) => found?.status))).toEqual(new Set([state]))
    for (const found of seen) {
      expect(factsOf(found)).not.toMatch(/\d{4}-\d\d-\d\d|[0-9a-f]{8}-[0-9a-f]{4}-/)
      expect(waitsForThePast(found), 'it would look again at once, for ever').toBe(false)
    }
  })

  test('that is gone reads nothing', async () => {
    const ref = { id: randomUUID(), organizationId: randomUUID() as OrganizationId }
    expect(await transaction((tx) => readOnly(tx, ref, read))).toBeUndefined()
  })
})

test('the view of a payment by service ID that its submission did not end fails: nothing leads there', async () => {
  const [row] = await owner<Row[]>`select id, organization_id from payments where rail = 'svc_id' limit 1`
  const undo = new Error('undo')
  const looked = transaction(async (tx) => {
    await tx`set local role none`
    await tx`set local session_replication_role = replica`
    await tx`update payments set status = 'submitted' where id = ${row?.id ?? ''}`
    const ref = { id: row?.id ?? '', organizationId: row?.organization_id ?? null }
    await expect(readOnly(tx, ref, readOf('payment'))).rejects.toThrow('by service ID is submitted')
    throw undo
  })
  await expect(looked).rejects.toBe(undo)
})

test('the view of money that its partner has called about, and that is not booked, changes nothing', async () => {
  const partnerDepositId = randomUUID()
  await calledAbout('bank', partnerDepositId)
  const id = depositIdOf('bank', partnerDepositId)
  const ref = { id, partner: 'bank', partnerDepositId, organizationId: null } as const
  const found = await transaction((tx) => readOnly(tx, ref, readOf(PROCESSES.deposit.workflow)))
  expect(found).toMatchObject({ at_rest: false, status: 'announced', step_due: true })
})

test('a call that came while a deposit was booked is taken in once, by a step of its own', async () => {
  const [made] = await owner`
    select d.id, organization_id, partner_deposit_id from deposits d where rail = 'crypto' and status = 'held'`
  const { id, organization_id: organizationId, partner_deposit_id: subject } = made as Record<string, string>
  const call = { partner: 'custodian', id: randomUUID(), subject: 'deposit', subject_id: subject }
  await owner`insert into partner_callbacks ${owner(call)}`
  const ref = { id, organizationId } as { id: DepositId; organizationId: OrganizationId } // of the row above
  expect(await main.viewDeposit(ref)).toMatchObject({ status: 'held', calls_to_take_in: true, asking: false })
  for (const _time of ['first', 'again']) {
    await main.takeInCalls(ref)
    expect(await main.viewDeposit(ref)).toMatchObject({ status: 'held', calls_to_take_in: false, ask_due: true })
    const deposits = await owner`select callbacks_received as calls from deposits where id = ${ref.id}`
    expect(deposits).toEqual([{ calls: 1 }])
  }
})

function factsOf(found: Found): string {
  const { says: _says, look_at: _at, organization_id: _owner, ...facts } = found as Standing
  return JSON.stringify(facts)
}

const waitsForThePast = (found: Found): boolean =>
  found?.at_rest === false && !found.step_due && found.look_at !== null && Date.parse(found.look_at) < Date.now()

type Facts = {
  readonly times?: 'past' | 'future' | 'none'
  readonly flags?: boolean
  readonly counts?: number
  /** At a partner, which has called back about it. */
  readonly called?: boolean
}

/** Values of all columns of a kind, so that many steps are due, or none. */
const FACTS: readonly Facts[] = [
  {},
  { times: 'past' },
  { times: 'future' },
  { times: 'none' },
  { flags: true, times: 'past' },
  { flags: false, times: 'past', counts: 0 },
  { flags: true, times: 'none', counts: 100 },
  { flags: false, times: 'none', counts: 100 },
  { flags: false, times: 'past', counts: 100 },
  { called: true },
  { called: true, times: 'past' },
  { called: true, times: 'future' },
]

type Trial = { readonly state: string; readonly facts: Facts; readonly read: Read }
type Row = { readonly id: string; readonly organization_id: OrganizationId | null }

/** Reads a row in a given state and with given facts, in a transaction that is rolled back. */
async function trial({ table }: Flow, row: Row, { state, facts, read }: Trial): Promise<Found> {
  const { id, organization_id: organizationId } = row
  const undo = new Error('undo')
  let found: Found
  const tried = transaction(async (tx) => {
    await tx`set local role none`
    await tx`set local session_replication_role = replica`
    for (const name of await checksOf(table)) await tx`alter table ${tx(table)} drop constraint ${tx(name)}`
    if (organizationId) await giveApprovals(tx, organizationId)
    const columns = (await columnsOf(tx, table)).flatMap((column) => valueOf(column, facts))
    await tx`update ${tx(table)} set status = ${state} ${columns.length > 0 ? columns : sql``} where id = ${id}`
    if (state === 'scheduled') await giveDay(tx, row, facts)
    if (table === 'payments') await tx`update payments set rail = 'fiat' where id = ${id} and ${isAtPartner()}`
    if (facts.times === 'past') await tx`update approvals set expires_at = business_now() - interval '1 day'`
    if (facts.times === 'future') await tx`update approvals set next_reminder_at = business_now() - interval '1 hour'`
    found = await readOnly(tx, { id, organizationId }, read)
    throw undo
  })
  await expect(tried).rejects.toBe(undo)
  return found
}

/** Builds a condition: a payment is in a state that only a partner leads out of. */
const isAtPartner = (): Fragment => sql`status in ('submitted', 'processing', 'on_hold', 'cancelling')`

/** Gives a payment the day that a scheduled one has. */
async function giveDay(tx: Transaction, { id, organization_id: organizationId }: Row, { times }: Facts): Promise<void> {
  await tx`
    insert into payment_schedules (id, organization_id, requested_on, execute_on, time_zone, starts_at, tries, try_at)
    select ${id}, ${organizationId}, at::date, at::date, 'UTC', at, array[at], at
    from (values (business_now() + ${times === 'future' ? TIMES.future : TIMES.past}::interval)) t (at)
    on conflict do nothing`
}

/** Moves approvals of any organization to this one, so that a waiting row has one. */
async function giveApprovals(tx: Transaction, organizationId: OrganizationId): Promise<void> {
  await tx`update approvals set organization_id = ${organizationId}`
  await tx`update approval_waits set organization_id = ${organizationId}`
}

type Column = { readonly name: string; readonly type: string; readonly nullable: boolean }

const columnsOf = (tx: Transaction, table: string): Promise<Column[]> => tx<Column[]>`
  select attname as name, format_type(atttypid, null) as type, not attnotnull as nullable from pg_attribute
  where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`

const TIMES = { past: '-400 days', future: '400 days' }

/** The assignment to a column that the facts cover. */
function valueOf({ name, type, nullable }: Column, { flags, counts, times, called }: Facts): Fragment[] {
  // an approval, where people are awaited
  if (name === 'approval_request_id') {
    const pending = sql`(select id from approvals where status = 'pending' limit 1)`
    return [sql`, approval_request_id = coalesce(approval_request_id, ${pending})`]
  }
  if (name === 'rail' && called) return [sql`, rail = 'fiat'`]
  if (name === 'callbacks_received' && called) return [sql`, callbacks_received = callbacks_processed + 1`]
  if (type === 'boolean' && flags !== undefined) return [sql`, ${sql(name)} = ${flags}`]
  if (type === 'integer' && counts !== undefined) return [sql`, ${sql(name)} = ${counts}`]
  if (!['date', 'timestamp with time zone'].includes(type) || times === undefined) return []
  if (times === 'none') return nullable ? [sql`, ${sql(name)} = null`] : []
  return [sql`, ${sql(name)} = business_now() + ${TIMES[times]}::interval`]
}

/** Reads as the service does, while Postgres refuses every change. */
async function readOnly(tx: Transaction, ref: ProcessRef, read: Read): Promise<Found> {
  const { organizationId } = ref
  await tx`set local role business_finance_app`
  await tx`select set_config('app.organization_id', ${organizationId ?? ''}, true)`
  await tx`set transaction read only`
  // a row without an organization is read by a view without one
  return read(Object.assign(rowsOf(tx), { organizationId: organizationId as OrganizationId }), ref)
}

/** The checks of a table, which a trial state may violate. */
async function checksOf(table: string): Promise<string[]> {
  const rows = await owner<{ name: string }[]>`
    select conname as name from pg_constraint where conrelid = ${table}::regclass and contype = 'c'`
  return rows.map(({ name }) => name)
}
