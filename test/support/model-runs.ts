/** Scale of tests: `npm test` shows each guarantee once, `npm run test:long` all variants. */
import fc from 'fast-check'
import { test } from 'vitest'

/** Number of random walks of a model test: one in `npm test`, MODEL_RUNS in the long run. */
export const modelRuns = (usual = 1): number => Number(process.env['MODEL_RUNS'] ?? usual)

/** Number of examples of a property: a tenth in `npm test`. */
export const propertyRuns = (many: number): number => (fullScale ? many : Math.ceil(many / 10))

const SURROGATES = { first: 0xd800, last: 0xdfff }

/** Text of any characters. fast-check's own unit takes three seconds to build. */
export const anyText = (maxLength: number): fc.Arbitrary<string> =>
  fc.string({
    unit: fc
      .oneof(fc.integer({ min: 0, max: 0xff }), fc.integer({ min: 0, max: 0x10ffff }))
      .filter((code) => code < SURROGATES.first || code > SURROGATES.last)
      .map((code) => String.fromCodePoint(code)),
    maxLength,
  })

/** Whether tests run in full: in `npm run test:long`, with the cases that `npm test` samples. */
export const fullScale = process.env['MODEL_RUNS'] !== undefined

/** A test of the long run alone: `npm test` shows its guarantee at a smaller scale. */
export const longTest = test.runIf(fullScale)

/** Offset of samples: the number of commits, so that each commit tests other cases. */
const rotation = Number(process.env['SAMPLE_ROTATION'] ?? 0)

/** All cases in the long run; in `npm test` each `nth` one, from `first` on, which each commit moves by one. */
export const everyNth = <Case>(cases: readonly Case[], nth: number, first = 0): Case[] => {
  const step = Math.min(nth, cases.length)
  return fullScale ? [...cases] : cases.filter((_, index) => index % step === (first + rotation) % step)
}

/** Tells whether a case, by its place among all, is one of the sample: each `nth` one in `npm test`, all in the long run. */
export const isSampled = (place: number, nth: number): boolean => fullScale || (place + rotation) % nth === 0

/** Concurrency of identical requests; in the long run above the number of database connections. */
export const MANY = fullScale ? 20 : 6

export const MODEL_TIMEOUT_MS = fullScale ? 600_000 : 120_000
