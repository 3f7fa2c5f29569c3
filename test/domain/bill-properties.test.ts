/** Properties of the reading of generated bills: what is no amount never becomes one without a doubt. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { NOISE, generatedBill } from '../support/bills/generated-page.ts'
import { codesOf, readTyped, valueOf } from '../support/bills/readings.ts'
import { fullScale } from '../support/model-runs.ts'

/** One seed, so that a change of the reader alone changes what is found. */
const SEED = 64
const parameters = { seed: SEED, numRuns: fullScale ? 2000 : 100 }

describe('of any layout, language, notation and noise', () => {
  test('the amount is the total, and never a number of a date, a sentence or another line', () =>
    fc.assert(
      fc.property(generatedBill({ spoiled: false }), ({ lines, amount }) => {
        const reading = readTyped(lines)
        const read = valueOf(reading, 'amount')
        if (read === null) expect(codesOf(reading).filter((doubt) => doubt.includes('amount'))).not.toEqual([])
        else expect(Number(read)).toBe(Number(amount))
      }),
      parameters,
    ))

  test('nearly every amount without anything in doubt is read', () => {
    const bills = fc.sample(generatedBill({ spoiled: false }), { seed: SEED, numRuns: 200 })
    const read = bills.filter(({ lines, amount }) => Number(valueOf(readTyped(lines), 'amount')) === Number(amount))
    expect(read.length / bills.length).toBeGreaterThan(0.95)
  })

  test('an amount beside money that was not parsed comes with a doubt', () =>
    fc.assert(
      fc.property(generatedBill({ spoiled: true }), ({ lines }) => {
        const reading = readTyped(lines)
        expect(valueOf(reading, 'amount')).toBe(null)
        expect(codesOf(reading).filter((doubt) => doubt.includes('amount'))).not.toEqual([])
      }),
      parameters,
    ))

  test('a page of sentences, dates and other numbers has no amount', () =>
    fc.assert(
      fc.property(fc.shuffledSubarray([...NOISE.plain, ...NOISE.sentences]), (noise) => {
        const lines = ['Invoice', 'Invoice number: R-7', ...noise.flatMap((line) => [line, ''])]
        expect(valueOf(readTyped(lines), 'amount')).toBe(null)
      }),
      parameters,
    ))
})
