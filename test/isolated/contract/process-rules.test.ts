/** Properties of every process: its line is written with the row, and the audit detects a missing one. */
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { type Flow, isDriven } from '../../../domain/flows/flow.ts'
import { PROCESSES } from '../../../domain/flows/index.ts'
import { processFaults } from '../../../db/processes.ts'
import { owner } from '../../support/database.ts'
import { makeRowOfEach } from '../../support/runs/row-of-each.ts'

vi.hoisted(() => {
  process.env['SMTP_URL'] = 'smtp://127.0.0.1:1' // mails stay queued
})

/** No worker runs here: no one looks at the rows. */
beforeAll(makeRowOfEach)

const processes = Object.values(PROCESSES).map((machine) => [machine.noun, machine] as const)

type Row = { id: string; status: string; workflow: string | null; organization_id: string | null; owner: string | null }
const drivenRows = ({ table, driven: states }: Flow) => owner<Row[]>`
  select r.id, r.status, p.workflow, p.organization_id, to_jsonb(r) ->> 'organization_id' as owner
  from ${owner(table)} r left join processes p on p.id = r.id where r.status = any (${[...states]})`

describe('a row that is written in a driven state has a process, of its own workflow and organization', () => {
  test.each(processes)('%s', async (_, machine) => {
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
  test.each(processes)('%s', async (_, machine) => {
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

/** The checks of a table besides its status; a trial row may violate them. */
async function checksOf(table: string): Promise<string[]> {
  const rows = await owner<{ name: string }[]>`
    select conname as name from pg_constraint where conrelid = ${table}::regclass and contype = 'c'`
  return rows.map(({ name }) => name)
}
