/** Requests of the demo: seven wait for approval after the first start, asked for by other people than the owner. */
import { isDeepStrictEqual } from 'node:util'
import type { Client } from '../../clients/typescript/src/index.ts'
import type postgres from 'postgres'
import type { Demo } from './organization.ts'
import { seedDesk } from './desk.ts'
import { MARKS, REQUESTS, type Kind } from './request-kinds.ts'
import { signIn } from './sessions.ts'

/** Kinds that wait for approval only if a rule of the policy says so. */
const BY_RULE: readonly Kind[] = ['invoice', 'payee', 'invitation']
const rule = (action_type: 'billing_invoice' | 'payment_contact' | 'organization_invitation') => ({
  action_type,
  steps: [{ required: 1, roles: ['owner' as const, 'admin' as const] }],
  self_approval: false,
  expires_after_hours: 720,
})
const RULES = [rule('billing_invoice'), rule('payment_contact'), rule('organization_invitation')]

export type Requests = { readonly waiting: number; readonly faults: readonly string[] }

/**
 * Makes the requests that are missing. What the people have changed since may forbid one, such as a pause of payments:
 * its fault is answered, and the others are made.
 */
export async function seedRequests(apiUrl: string, sql: postgres.Sql, demo: Demo): Promise<Requests> {
  const { organization_id } = demo
  const missing = await missingIn(sql, organization_id)
  const faults = missing.length > 0 ? await ask(apiUrl, demo, missing) : []
  const [row] = await sql<{ waiting: number }[]>`
    select count(*)::int as waiting from approvals where organization_id = ${organization_id} and status = 'pending'`
  return { waiting: row?.waiting ?? 0, faults }
}

/** Asks for each kind; answers what was refused. */
async function ask(apiUrl: string, demo: Demo, missing: readonly Kind[]): Promise<string[]> {
  const { organization_id } = demo
  const faults: string[] = []
  const note = (what: string) => (error: unknown) => void faults.push(`${what}: ${String(error)}`)
  const sessions = Promise.all([demo.member, demo.admin, demo.owner].map((person) => signIn(apiUrl, person)))
  const [member, admin, owner] = (await sessions) as [Client, Client, Client]
  const asking = { organization_id, member, admin, owner }
  const make = (kinds: readonly Kind[]) =>
    Promise.all(kinds.map((kind) => REQUESTS[kind](asking).catch(note(`the request "${MARKS[kind]}"`))))
  const byRule = missing.filter((kind) => BY_RULE.includes(kind))
  await make(missing.filter((kind) => !BY_RULE.includes(kind)))
  // afterwards: meanwhile a batch may pay approved contacts alone
  if (byRule.length > 0) await underRules(owner, organization_id, () => make(byRule)).catch(note('the rules'))
  await seedDesk(apiUrl, owner, organization_id).catch(note('the desk'))
  await Promise.all([member, admin, owner].map((person) => person.signOut()))
  return faults
}

/** Finds the kinds whose mark no approval ever had. */
async function missingIn(sql: postgres.Sql, organizationId: string): Promise<Kind[]> {
  const rows = await sql<{ kind: Kind }[]>`
    select m.kind from unnest(${Object.keys(MARKS)}::text[], ${Object.values(MARKS)}::text[]) m (kind, mark)
    where not exists (select from approvals a
      where a.organization_id = ${organizationId} and position(m.mark in a.summary) > 0)`
  return rows.map(({ kind }) => kind)
}

/** Asks while the owner's policy has our rules, which approvals copy. Guides go on with the defaults. */
async function underRules(owner: Client, organization_id: string, ask: () => Promise<unknown>): Promise<void> {
  const { rules, defaults } = await owner.getApprovalPolicy({ organization_id })
  const ours = RULES.map(({ action_type }): string => action_type)
  const isDefault = (one: object) => defaults.some((other) => isDeepStrictEqual(one, other))
  const others = rules.filter((one) => !ours.includes(one.action_type) && !isDefault(one))
  await owner.setApprovalPolicy({ organization_id, rules: [...others, ...RULES] })
  try {
    await ask()
  } finally {
    await owner.setApprovalPolicy({ organization_id, rules: others })
  }
}
