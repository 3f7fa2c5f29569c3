import fc from 'fast-check'
import { propertyRuns } from './model-runs.ts'

type Made<Given extends unknown[]> = { [Key in keyof Given]: fc.Arbitrary<Given[Key]> }

/** Checks a property with this number of examples; `npm test` makes a tenth of them. */
export function always<Given extends [unknown, ...unknown[]]>(
  times: number,
  ...given: [...made: Made<Given>, holds: (...one: Given) => void]
): void {
  const holds = given.at(-1) as (...one: Given) => void // the last one
  const made = given.slice(0, -1) as unknown as Made<Given> // and those before
  const property = fc.property(fc.tuple(...made), (one) => {
    holds(...(one as Given)) // made by these
  })
  fc.assert(property, { numRuns: propertyRuns(times) })
}
