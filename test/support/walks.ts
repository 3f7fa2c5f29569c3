/** Random walks against plain models: their loop, the people who take part, and what is answered. */
import fc from 'fast-check'
import { bank } from '../../activities/index.ts'
import type { OrganizationId, PaymentId } from '../../domain/ids.ts'
import { type Answer, type TestPerson, api, approve, join, organization, person } from './api.ts'
import { decide, setRules } from './approvals/approvals.ts'
import type { Command as Decision, Role, Rule } from './approvals/model.ts'
import { owner } from './database.ts'
import { modelRuns } from './model-runs.ts'
import { WORDS, type Word } from './payments/arrows.ts'
import { plausible } from './payments/model.ts'

/** Number of walks at once, which mostly wait for the service. */
export const LANES = 3

export async function walkInLanes<Walk>(walks: fc.Arbitrary<Walk>, walk: (one: Walk) => Promise<void>): Promise<void> {
  const numRuns = Math.ceil(modelRuns() / LANES)
  const lane = () => fc.assert(fc.asyncProperty(walks, walk), { numRuns, endOnFailure: true })
  await Promise.all(Array.from({ length: LANES }, lane))
}

/** A command of fast-check, under the name that a failure prints. */
export const deed = <Model extends object, Real>(
  name: string,
  run: (m: Model, r: Real) => Promise<unknown>,
  check: (m: Readonly<Model>) => boolean = () => true,
): fc.AsyncCommand<Model, Real> => ({ check, toString: () => name, run: async (m, r) => void (await run(m, r)) })

export const drawn = <One>(all: readonly One[], number: number): One | undefined => all[number % all.length]

/** Tells the type of a refusal, or that a command is done. */
export const told = ({ status, body }: Answer): string => (status < 300 ? 'done' : body.error.type)

/** The first owns the organization and stays; who has no role is outside. */
export async function crowd(roles: readonly (Role | undefined)[], name?: string) {
  const people = await Promise.all(roles.map(() => person({ authenticator: true })))
  const { id } = await organization(people[0]!, name) // there is an owner
  for (const [who, role] of roles.entries()) if (role && who > 0) await join(id, people[who]!, role) // one for each
  return { id, people }
}

const BOARD: Role[] = ['owner', 'admin']
export const RULES = {
  one: { steps: [{ required: 1, roles: BOARD, people: [] }], selfApproval: true },
  'two others': { steps: [{ required: 2, roles: BOARD, people: [] }], selfApproval: false },
} satisfies Record<string, Rule>
export type RuleName = keyof typeof RULES

/** A crowd whose payer asks for approvals by this rule. */
export async function payerUnder(roles: readonly (Role | undefined)[], rule: RuleName, action_type: string) {
  const { id, people } = await crowd(roles, 'Payer')
  const { steps, selfApproval } = RULES[rule]
  await setRules(id, people[0]!, [{ action_type, steps, self_approval: selfApproval }]) // the owner
  return { payer: { id }, people }
}

type Asked = { organization_id: string; approval_request_id: string }

export const decideAs = (by: TestPerson, asked: Asked, decision: Decision): Promise<Answer> =>
  decision === 'approve' ? approve(by, asked) : decide(by, asked, decision)

/** Decides what was asked for, if anything was. */
export const decided = async (asked: Asked | undefined, decision: Decision, by: TestPerson): Promise<string> =>
  asked ? told(await decideAs(by, asked, decision)) : 'done'

/** Updates that a bank with a correct order could send after this one. */
export const nextWords = (book: Word | undefined): Word[] =>
  WORDS.filter((word) => plausible({ book: book ?? 'pending' }, word))

/** Changes a payment at the bank, calls about it, and polls as its run does; orders it first if necessary. */
export async function bankSays<Called>(
  payment: { id: string; organizationId: string; isOrdered: boolean },
  word: Word,
  call: (id: string) => Promise<Called>,
): Promise<Called> {
  const { id, organizationId } = payment
  const ref = { id: id as PaymentId, organizationId: organizationId as OrganizationId } // of rows that are there
  if (!payment.isOrdered) await bank.orderPayout(ref)
  await owner`
    update sandbox_payouts set status = ${word}, detail = ${word}, version = version + 1, due_at = null
    where partner = 'bank' and id = ${id}`
  const called = await call(id)
  await bank.pollPayout(ref)
  return called
}

/** Fails unless the books of an organization are whole. */
export async function booksAreWhole({ token }: TestPerson, organizationId: string, trace = ''): Promise<void> {
  const { body } = await api('GET', `/organizations/${organizationId}/ledger/integrity`, { token })
  if (!body.ok || body.violations.length > 0) throw new Error(`${trace}: ${JSON.stringify(body)}`)
}
