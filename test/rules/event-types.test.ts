/** The catalogue of event types: complete, and without unused types. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { EventType } from '../../domain/event-type.ts'
import type { FlowEvent } from '../../domain/flow.ts'
import { FLOWS } from '../../domain/registries/flows.ts'
import { CATALOGUE, EVENT_TYPES, MOVES } from '../../domain/registries/event-types.ts'
import { FILES } from './files.ts'

const DECLARING = FILES.filter((file) => /^domain\/[\w-]+\/events\.ts$/.test(file))

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

test('everything that is declared beside a flow is written by somebody', async () => {
  const textsOf = (named: RegExp) => FILES.filter((file) => named.test(file)).map((file) => readFileSync(file, 'utf8'))
  const writers = textsOf(/^(?:db|services)\/.+\.ts$/)
  const functions = textsOf(/^db\/functions\/.+\.sql$/)
  for (const file of DECLARING) {
    const declared: Record<string, any> = await import(/* @vite-ignore */ `../../../${file}`)
    for (const [group, types] of Object.entries(declared)) {
      const named = new RegExp(String.raw`\b${group}\b`)
      const texts = writers.filter((text) => named.test(text))
      for (const [name, { type }] of Object.entries<EventType>('flow' in types ? {} : types)) {
        // by name, or by a computed one
        const written = new RegExp(String.raw`\b${group}\.${name}\b|\b${group}\)?\[(operation\]|[^\]]*'${name}')`)
        const taken = new RegExp(String.raw`const \{[^}]*\b${name}\b[^}]*\} = ${group}\b`)
        const [noun = ''] = type.split('.')
        const isByTrigger = functions.some((text) => text.includes(`'${noun}.' || `) && text.includes(`'${name}'`))
        const isWritten = isByTrigger || texts.some((text) => written.test(text) || taken.test(text))
        expect([type, isWritten]).toEqual([type, true])
      }
    }
  }
})

test('whoever writes into the log takes type and stream from the catalogue', () => {
  const names = new RegExp(`'(${EVENT_TYPES.join('|').replaceAll('.', String.raw`\.`)})'`)
  const files = FILES.filter((file) => /^(?:db|services)\/(?!schema).+\.(ts|sql)$/.test(file))
  const writers = files.filter((file) => /insert into events\b/.test(readFileSync(file, 'utf8')))
  const known =
    'db/functions/people.sql db/processes/transition.ts services/approvals/requests.ts services/events.ts services/payments/batch-payments.ts'
  expect(writers.sort().join(' ')).toBe(known)
  for (const file of writers.filter((name) => name.endsWith('.ts')))
    expect(readFileSync(file, 'utf8').replaceAll(/select .* from events[^`]*`/gs, ''), file).not.toMatch(names)
})

test('a type is a noun and what happened to it, and its description is a sentence', () => {
  for (const { type, stream, description } of CATALOGUE) {
    expect(type).toMatch(/^[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*$/)
    expect(stream).toMatch(/^[a-z]+(_[a-z]+)*$/)
    expect(description, type).toMatch(/^[A-Z].{10,118}\.$/)
  }
})
