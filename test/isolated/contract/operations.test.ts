/** Properties that every declared operation has. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { impliesRefusals } from '../../../api/openapi/refusals.ts'
import { refusalsPage } from '../../../dev/docs/refusals.ts'
import { allRoutes as routes } from '../../../sandbox/routes.ts'

/** Mutations that open transactions of their own, each with its reason. */
const BY_HAND: Readonly<Record<string, string>> = {
  decideRequests: 'one transaction for each approval of the set: one that is refused leaves the others decided',
  receivePartnerCallback: 'a call about nothing of ours writes nothing, and one that cannot be stored is noted apart',
  receiveInboundMail: 'the bytes go to storage before the transaction',
  uploadFile: 'the bytes go to storage before the transaction',
  advanceClock: 'the sweep runs after the commit',
  advanceSandboxPayment: 'waits for the callbacks of the stand-in',
  createSandboxDeposit: 'the organization is not the one of the caller',
  decideOnboarding: 'the organization is not the one of the caller',
  createSandboxUnmatchedDeposit: 'the deposit arrives in a transaction of its own',
  paySandboxInvoice: 'the organization is not the one of the caller',
}

test('a mutation is one transaction of the pipeline, unless a reason says otherwise', () => {
  const byHand = routes.filter(({ shape }) => shape === 'by hand').map(({ operationId }) => operationId)
  expect(byHand.toSorted()).toEqual(Object.keys(BY_HAND).toSorted())
})

test('docs/refusals.md is what the declarations say (npm run docs:states)', () => {
  expect(readFileSync('docs/refusals.md', 'utf8')).toBe(refusalsPage(routes))
})

test('an operation names no refusal that its declaration implies', () => {
  const repeated = routes.flatMap((route) => {
    const implied = new Set(impliesRefusals(route))
    return (route.refuses ?? []).filter((type) => implied.has(type)).map((type) => `${route.operationId}: ${type}`)
  })
  expect(repeated).toEqual([])
})
