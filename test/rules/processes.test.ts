/** The registry of flows is complete, and workflows only look and act. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Flow } from '../../domain/flow.ts'
import { FLOWS, PROCESSES } from '../../domain/registries/flows.ts'
import { roomOf, sources } from './rooms.ts'

/** Recognizes a flow by its list of driven states. */
const isFlow = (value: unknown): value is Flow => typeof value === 'object' && value !== null && 'driven' in value

test('every flow is in the registry, once; what is driven is a process, of a workflow of its own', async () => {
  const files = sources('domain').filter((file) => /[/-]flow\.ts$/.test(file) && roomOf(file) !== undefined)
  const modules = await Promise.all(files.map((file): Promise<object> => import(/* @vite-ignore */ resolve(file))))
  const declared = modules.flatMap((module) => Object.values(module)).filter(isFlow)
  const nouns = (flows: readonly Flow[]) => flows.map(({ noun }) => noun).toSorted()
  expect(nouns(FLOWS)).toEqual(nouns(declared))
  expect(nouns(Object.values(PROCESSES))).toEqual(nouns(declared.filter((flow) => flow.driven.length > 0)))
  expect(new Set(Object.values(PROCESSES).map(({ workflow }) => workflow)).size).toBe(Object.keys(PROCESSES).length)
})

describe('a workflow has one loop, and no other code that does anything', () => {
  const comments = /\/\*\*.*?\*\/|\/\/.*$/gms
  const workflows = sources('workflows').map(
    (file) => [file.slice('workflows/'.length), readFileSync(file, 'utf8').replaceAll(comments, '')] as const,
  )

  test.each(workflows)('%s: no update, no signal or query of its own, one thing at a time', (name, text) => {
    expect(text).not.toMatch(/define(Update|Signal|Query)|setHandler|Promise\.\w+\(|executeChild|startChild|Trigger/)
    if (name !== 'run.ts') expect(text).not.toMatch(/Handler\b|setDefault|condition\(|sleep\(/)
  })

  const ofRuns = workflows.filter(([, text]) => text.includes('new Run('))
  test.each(ofRuns)('%s: activities are called by the run alone, one after the other', (name, text) => {
    expect(text.match(/\bnew Run\(ref, record\.view\w+\)/g) ?? [], name).toHaveLength(1)
    expect(text.match(/\bref\b/g) ?? [], `${name} uses its ref for its run alone`).toHaveLength(2)
  })

  test.each(workflows)('%s: no module keeps state: all runs of a worker share it', (name, text) => {
    const kept = /^(export )?(let|var)\b.*|^(export )?const \w+(: [^=]+)? = (new \w+|\[|\w+\().*/gm
    const allowed = /^export const record = proxyLocalActivities</
    expect(
      (text.match(kept) ?? []).filter((line) => !allowed.test(line)),
      name,
    ).toEqual([])
  })

  test.each(workflows)('%s: the summary of a timer is a label, and no sentence', (name, text) => {
    const labels = [...text.matchAll(/(?:wait|takeWhenDue|pauseRound|#pause)\((.*)\)/g)].flatMap(([, given = '']) =>
      [...given.matchAll(/'([^']*)'/g)].flatMap(([, label = '']) => (label.includes(' ') ? label : [])),
    )
    for (const label of labels)
      expect(label, name).toMatch(/^[A-Z][a-z]+(?: (?!(?:is|are|was|were|has|its|it)\b)\w+)+$/)
  })

  test.each(workflows)('%s: what follows no row calls no view and no step at our own tables', (name, text) => {
    if (/new Run\(|\brun: /.test(text)) return
    const used = text.replaceAll(/^import .*$/gm, '').replaceAll(/^export const record = /gm, '')
    expect(used, name).not.toMatch(/\brecord\b/)
    expect(used.match(/proxyLocalActivities/g) ?? []).toHaveLength(name === 'proxies.ts' ? 1 : 0)
  })
})

test('payments are moved by movePayments() alone: what they leave unpaid is open again', () => {
  const moves = /\btransition\(\s*\w+,\s*paymentMoves\b/
  expect(sources('services').filter((file) => moves.test(readFileSync(file, 'utf8')))).toEqual([
    'services/payouts/settlement.ts',
  ])
})
