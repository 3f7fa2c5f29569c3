/** German words of proofs: each operation that needs a proof has them, unless it binds a sentence of its own. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sayProof } from '../../pages/words/de/said/proofs.ts'

type Operation = { readonly operationId: string; readonly summary: string; readonly description?: string }

/** Operations whose proof is bound to a sentence with names or amounts. */
const SAYS_ITSELF: ReadonlySet<string> = new Set([
  'createScimToken',
  'updateScimGroup',
  'approveRequest',
  'decideRequests',
  'setApprovalPolicy',
  'createSubstitution',
  'createApiKey',
  'updateApiKey',
  'rotateApiKey',
  'createDelegate',
  'rotateDelegate',
  'createLogStream',
  'createAuthorization',
  'connectAccounting',
  'connectIdentityProvider',
  'createIdentityLink',
  'transferOwnership',
])

const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}
const proved = Object.values(paths)
  .flatMap((path) => Object.values(path))
  .filter(
    ({ operationId, description = '' }) => description.includes('Needs a step-up') && !SAYS_ITSELF.has(operationId),
  )

test.each(proved)('the proof of $operationId has German words', ({ summary }) => {
  expect(sayProof(summary)).not.toBe(null)
})

test('names and amounts in a sentence stay as they are', () => {
  expect(sayProof('Let "Jonas Feld" decide approvals for you until 2027-01-03 23:00 UTC')).toContain('"Jonas Feld"')
  expect(sayProof('Give "Books" another secret for 30 days in the organization "Example"')).toContain('30 Tage')
  expect(sayProof('Set 3 approval rules')).toBe('3 Freigaberegeln festlegen')
  expect(sayProof('Approve: Pay 1.00 EUR to "Set 3 approval rules".')).toBe(null)
})
