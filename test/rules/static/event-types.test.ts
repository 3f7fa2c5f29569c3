/** The catalogue of event types: whole, and nothing in it that is not written. */
import { expect, test } from 'vitest'
import type { EventType } from '../../../db/model/event-type.ts'
import type { FlowEvent } from '../../../db/model/flows/flow.ts'
import { FLOWS } from '../../../db/model/flows/index.ts'
import { CATALOGUE, EVENT_TYPES, MOVES } from '../../../db/model/registries/event-types.ts'
import { FILES } from './files.ts'

const DECLARING = FILES.filter((file) => /^db\/model\/[\w-]+\/events\.ts$/.test(file))

test('every flow that is logged says of each of its events what the log has of it', () => {
  const logged = FLOWS.filter((flow) => flow.logged)
  expect(new Set(MOVES.map(({ flow }) => flow.noun))).toEqual(new Set(logged.map(({ noun }) => noun)))
  for (const { flow, types } of MOVES) {
    for (const [event, { logs }] of Object.entries<FlowEvent<string>>(flow.events)) {
      const said = new Map<string, EventType>(Object.entries(types)).get(event)
      expect(said, `${flow.noun}: ${event}`).toMatchObject({ type: `${flow.noun}.${logs}`, stream: flow.table })
    }
  }
})

test('all that rooms declare is in the catalogue, each type with one description and one payload', async () => {
  const found = new Map<string, EventType>()
  for (const file of DECLARING) {
    const declared: Record<string, any> = await import(/* @vite-ignore */ `../../../${file}`)
    for (const group of Object.values(declared)) {
      for (const one of Object.values<EventType>(group.types ?? group)) {
        const { description, payload } = found.get(one.type) ?? one
        expect(one, one.type).toMatchObject({ description })
        expect(one.payload === payload, one.type).toBe(true)
        found.set(one.type, one)
      }
    }
  }
  expect([...found.keys()].sort()).toEqual([...EVENT_TYPES].sort())
})

test('a type is a noun and what happened to it, and its description is a sentence', () => {
  for (const { type, stream, description } of CATALOGUE) {
    expect(type).toMatch(/^[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*$/)
    expect(stream).toMatch(/^[a-z]+(_[a-z]+)*$/)
    expect(description, type).toMatch(/^[A-Z].{10,118}\.$/)
  }
})
