/** What every operation is by its declaration. */
import { expect, test } from 'vitest'
import { impliedBy } from '../../api/http/refusals.ts'
import { allRoutes as routes } from '../../sandbox/routes.ts'

/** Mutations that open transactions of their own, each with its reason. */
const BY_HAND: Readonly<Record<string, string>> = {}

test('a mutation is one transaction of the pipeline, unless a reason says otherwise', () => {
  const byHand = routes.filter(({ shape }) => shape === 'by hand').map(({ operationId }) => operationId)
  expect(byHand.toSorted()).toEqual(Object.keys(BY_HAND).toSorted())
})

test('an operation names no refusal that its declaration implies', () => {
  const repeated = routes.flatMap((route) => {
    const implied = new Set(impliedBy(route))
    return (route.refuses ?? []).filter((type) => implied.has(type)).map((type) => `${route.operationId}: ${type}`)
  })
  expect(repeated).toEqual([])
})
