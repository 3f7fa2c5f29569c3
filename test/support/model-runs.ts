/** How much of a test is done: `npm test` shows each guarantee once, `npm run test:long` in all its variants. */
import fc from 'fast-check'
import { test } from 'vitest'

/** How many random walks a model test makes: one in `npm test`, as many as MODEL_RUNS says in the long run. */
export const modelRuns = (usual = 1): number => Number(process.env['MODEL_RUNS'] ?? usual)

/** How many examples a property is tried with: a tenth in `npm test`. */
export const propertyRuns = (many: number): number => (fullScale ? many : Math.ceil(many / 10))

const SURROGATES = { first: 0xd800, last: 0xdfff }

/** Text of any characters there are. fast-check's unit of all of them takes three seconds to be made. */
export const anyText = (maxLength: number): fc.Arbitrary<string> =>
  fc.string({
    unit: fc
      .oneof(fc.integer({ min: 0, max: 0xff }), fc.integer({ min: 0, max: 0x10ffff }))
      .filter((code) => code < SURROGATES.first || code > SURROGATES.last)
      .map((code) => String.fromCodePoint(code)),
    maxLength,
  })

/** The random walks of a model test, some at a time: they wait for the service most of their time. */
export async function walkInLanes<Walk>(lanes: number, walk: fc.IAsyncProperty<Walk>): Promise<void> {
  const numRuns = Math.ceil(modelRuns(2) / lanes)
  await Promise.all(Array.from({ length: lanes }, () => fc.assert(walk, { numRuns, endOnFailure: true })))
}

/** Whether a test takes its time: in `npm run test:long`, where also what others stand for in `npm test` is met. */
export const fullScale = process.env['MODEL_RUNS'] !== undefined

/** A test of the long run alone: in `npm test` another one shows what it guarantees, at a smaller scale. */
export const longTest = test.runIf(fullScale)

/** All cases in the long run; in `npm test` each `nth` of them, from `first` on, stands for the others. */
export const everyNth = <Case>(cases: readonly Case[], nth: number, first = 0): Case[] =>
  fullScale ? [...cases] : cases.filter((_, index) => index % nth === first % nth)

/** How many do the same at once; in the long run more than there are connections to the database. */
export const MANY = fullScale ? 20 : 6

/** How long the walks of one test may take. */
export const MODEL_TIMEOUT_MS = fullScale ? 600_000 : 120_000
