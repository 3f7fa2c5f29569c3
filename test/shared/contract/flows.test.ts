/** Every event of every flow from every state: it moves the row and is logged, or is refused and changes nothing. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { type Tx, asSystem } from '../../../db/postgres/sql.ts'
import { move, transition } from '../../../db/processes/transition.ts'
import { Refusal } from '../../../domain/errors.ts'
import { type Flow, eventsFrom, publicStateOf } from '../../../domain/flow.ts'
import { FLOWS } from '../../../domain/registries/flows.ts'
import type { OrganizationId } from '../../../domain/ids.ts'
import type { EventType, Moves } from '../../../domain/event-type.ts'
import { MOVES } from '../../../domain/registries/event-types.ts'
import { organization, person } from '../../support/api.ts'

const { id } = await organization(await person())

/** Their events and payloads are typed each for itself; here any event is tried. */
const LOGGED = MOVES as unknown as readonly Moves<string, string, Readonly<Record<string, EventType>>>[]

class RolledBack extends Error {}

/** Hands out the flow over a bare table of its own; all of it is rolled back. */
async function onBareTable<Moved extends Flow>(
  flow: Moved,
  work: (tx: Tx, flow: Moved) => Promise<void>,
): Promise<void> {
  const table = `bare_${flow.table}` // not the same name: a prepared statement would keep to the real table
  const done = asSystem(id as OrganizationId, async (tx) => {
    await tx`create temporary table ${tx(table)} as select * from ${tx(flow.table)} with no data`
    await work(tx, { ...flow, table })
    throw new RolledBack()
  })
  await expect(done).rejects.toThrow(RolledBack)
}

const placed = async (tx: Tx, table: string, status: string): Promise<string> => {
  const row = { id: randomUUID(), status }
  await tx`insert into ${tx(table)} ${tx(row)}`
  return row.id
}

const statusOf = async (tx: Tx, table: string, row: string): Promise<unknown> =>
  (await tx`select status from ${tx(table)} where id = ${row}`)[0]?.['status']

const logged = async (tx: Tx, row: string): Promise<unknown[]> =>
  (await tx`select type from events where subject_id = ${row}`).map(({ type }) => type)

test.each(LOGGED.map((moves) => [moves.flow.noun, moves] as const))('%s', async (_, moves) => {
  const { types } = moves
  await onBareTable(moves.flow, async (tx, flow) => {
    for (const [event, { from, to }] of Object.entries(flow.events)) {
      for (const state of flow.states) {
        const row = await placed(tx, flow.table, state)
        const moved = transition(tx, { flow, types }, row, { events: [event], cause: `test:${row}`, payload: {} })
        if (from.includes(state)) {
          await moved
          expect(await statusOf(tx, flow.table, row), `${event} from ${state}`).toBe(to)
          expect(await logged(tx, row)).toEqual([types[event]?.type])
          if (from.includes(to)) continue // it would move again
          await transition(tx, { flow, types }, row, { events: [event], cause: `test:${row}`, payload: {} })
          expect(await logged(tx, row), `${event} again`).toHaveLength(1)
        } else {
          const refused = new Refusal('invalid_state', {
            current: publicStateOf(flow, state),
            allowed: eventsFrom(flow, state),
          })
          await expect(moved, `${event} from ${state}`).rejects.toEqual(refused)
          expect([await statusOf(tx, flow.table, row), await logged(tx, row)]).toEqual([state, []])
        }
      }
    }
  })
})

test.each(FLOWS.filter((flow) => !flow.logged).map((flow) => [flow.noun, flow] as const))('%s', async (_, unlogged) => {
  await onBareTable(unlogged, async (tx, flow) => {
    for (const [event, { from, to }] of Object.entries(flow.events)) {
      for (const state of flow.states) {
        const row = await placed(tx, flow.table, state)
        expect(await move(tx, flow, row, { event }), `${event} from ${state}`).toBe(from.includes(state))
        expect(await statusOf(tx, flow.table, row)).toBe(from.includes(state) ? to : state)
      }
    }
  })
})

test('each flow is here', () => {
  const nouns = [...MOVES.map(({ flow }) => flow), ...FLOWS.filter((flow) => !flow.logged)].map(({ noun }) => noun)
  expect(nouns.toSorted()).toEqual(FLOWS.map(({ noun }) => noun).toSorted())
})
