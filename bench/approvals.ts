/** Approvals: what a list and the attention summary cost if 100,000 approvals are, against an empty route. */
import { randomUUID } from 'node:crypto'
import { requirementsId, writeRequirements } from '../db/approvals/requests.ts'
import { canonicalJson } from '../domain/canonical.ts'
import {
  type Policy,
  type ApprovalRequirements,
  initialRequirements,
  addApproval,
} from '../domain/approvals/requirements.ts'
import type { OrganizationId, UserId } from '../domain/ids.ts'
import type { Tx } from '../db/sql.ts'
import { line, median, quantile } from './measure.ts'
import { insertPerson, owner } from './owner.ts'

const APPROVALS = 100_000
const REQUESTERS = 25
const TRIES = 100 // of each side of a round
const ASIDE_TRIES = 30
const AT_MOST = 3
/** Four eyes, and two steps: what waits is split among who asked and who has approved so far. */
const POLICY: Policy = {
  steps: [
    { required: 1, roles: ['admin'], user_ids: [] },
    { required: 1, roles: ['owner'], user_ids: [] },
  ],
  self_approval: false,
  expires_after_hours: 24 * 365,
}

type Somebody = { readonly userId: UserId; readonly token: string }
type World = { id: OrganizationId; boss: Somebody; admin: Somebody; member: Somebody; requesters: Somebody[] }

/** The report lines of approvals: all of them pending, and all but one in a hundred decided. */
export async function benchApprovals(apiUrl: string, rounds: number): Promise<void> {
  for (const [name, everyPending] of Object.entries({ 'all pending': 1, '99% decided': 100 })) {
    const world = await makeWorld()
    await fill(world, everyPending)
    await owner`vacuum (analyze) approvals, approval_waits, payments`
    await measure(apiUrl, world, name, rounds)
  }
}

async function measure(apiUrl: string, { id, boss, member, requesters }: World, name: string, rounds: number) {
  const [approvals, summary] = [`/organizations/${id}/approvals`, `/organizations/${id}/attention/summary`]
  for (const path of [approvals, summary]) {
    const ask = () => get(apiUrl, path, boss)
    const empty = () => get(apiUrl, '/me', boss) // a session and one row by its key: no route asks for less
    await inTurn(ASIDE_TRIES, ask, empty) // warm
    const results: { a: number[]; b: number[] }[] = []
    for (let round = 0; round < rounds; round += 1) results.push(await inTurn(TRIES, ask, empty))
    const of = (share: number) => (pick: 'a' | 'b') =>
      quantile(
        results.flatMap((result) => result[pick]),
        share,
      )
    const [p50, p99] = [of(0.5), of(0.99)]
    const ratio = median(results.map(({ a, b }) => median(a) / median(b)))
    const note = `p50 ${ms(p50('a'))} against ${ms(p50('b'))}, p99 ${ms(p99('a'))} against ${ms(p99('b'))}`
    line(`${labelOf(path, id)}, ${name}`, ratio, { atMost: AT_MOST }, note)
  }
  const aside: [string, Somebody, string][] = [
    ['an owner', boss, `/organizations/${id}/attention`],
    ['an owner', boss, `/organizations/${id}/attention?actionable=true`],
    ['one who asked', requesters[0] ?? refuseEmpty(), approvals],
    ['one who asked', requesters[0] ?? refuseEmpty(), summary],
    ['a member', member, approvals],
    ['a member', member, `/organizations/${id}/attention`],
    ['a member', member, summary],
  ]
  for (const [who, somebody, path] of aside) {
    const { a } = await inTurn(ASIDE_TRIES, () => get(apiUrl, path, somebody))
    console.log(`     ${labelOf(path, id).padEnd(34)} p50 ${ms(median(a))}, p99 ${ms(quantile(a, 0.99))}, of ${who}`)
  }
}

const labelOf = (path: string, id: string): string => `GET …${path.replace(`/organizations/${id}`, '')}`
const ms = (value: number): string => `${value.toFixed(2)} ms`

/** A and B one after the other, each first every other time; the times of each in milliseconds. */
async function inTurn(count: number, a: () => Promise<void>, b?: () => Promise<void>) {
  const times = { a: [] as number[], b: [] as number[] }
  const timed = async (side: 'a' | 'b', work: () => Promise<void>) => {
    const begun = performance.now()
    await work()
    times[side].push(performance.now() - begun)
  }
  for (let index = 0; index < count; index += 1) {
    if (index % 2) await timed('a', a)
    if (b) await timed('b', b)
    if (index % 2 === 0) await timed('a', a)
  }
  return times
}

/** Reads an answer to its end; any but 2xx ends the bench. */
async function get(apiUrl: string, path: string, { token }: Somebody): Promise<void> {
  const response = await fetch(`${apiUrl}/api/v1${path}`, { headers: { authorization: `Bearer ${token}` } })
  const body = await response.text()
  if (!response.ok) throw new Error(`GET ${path}: ${response.status} ${body}`)
}

/** An organization with an owner, an admin, members who asked for something and one who did not. */
async function makeWorld(): Promise<World> {
  const id = randomUUID() as OrganizationId // of the row that is written next
  const [boss, admin, member] = [await insertPerson(), await insertPerson(), await insertPerson()]
  const requesters: Somebody[] = []
  for (let made = 0; made < REQUESTERS; made += 1) requesters.push(await insertPerson())
  await owner`insert into organizations (id, name, svc_id, created_by)
    values (${id}, 'Approvals', ${`b-${id.slice(0, 13)}`}, ${boss.userId})`
  for (const [role, people] of Object.entries({ owner: [boss], admin: [admin], member: [member, ...requesters] })) {
    for (const { userId } of people) {
      await owner`insert into members (organization_id, user_id, role) values (${id}, ${userId}, ${role})`
    }
  }
  return { id, boss, admin, member, requesters }
}

type Kind = { readonly requester: UserId; readonly wait: ApprovalRequirements; readonly given: UserId | null }

/** Payments that wait, as the service writes them; of those but every so-manieth the last approval was given, too. */
async function fill({ id, boss, admin, requesters }: World, everyPending: number): Promise<void> {
  const kinds = requesters.flatMap(({ userId }): Kind[] => {
    const wait = initialRequirements(POLICY, userId)
    return [
      { requester: userId, wait, given: null },
      { requester: userId, wait: addApproval(wait, admin.userId), given: admin.userId },
    ]
  })
  await owner.begin(async (plain) => {
    // the owner of the database needs no setting to write an organization's rows
    const tx = Object.assign(plain, { organizationId: id }) as unknown as Tx
    for (const { wait } of kinds) await writeRequirements(tx, wait)
    const [contactId, destinationId] = [randomUUID(), randomUUID()]
    await tx`insert into payment_contacts (id, organization_id, name, type, created_by)
      values (${contactId}, ${id}, 'Payee', 'business', ${boss.userId})`
    await tx`insert into payment_destinations (id, organization_id, payment_contact_id, type, svc_id, payee_organization_id,
        currency, fingerprint, created_by)
      select ${destinationId}, ${id}, ${contactId}, 'svc_id', svc_id, id, 'USD', '', ${boss.userId} from organizations where id = ${id}`
    await tx`
      create temporary table made on commit drop as
      select n, gen_random_uuid() as payment_id, gen_random_uuid() as approval_id, k.requester, k.given, k.wait_id,
        n % ${everyPending} = 0 as pending, business_now() - (${APPROVALS} - n) * interval '1 minute' as at
      from generate_series(1, ${APPROVALS}) n
      join unnest(${kinds.map(({ requester }) => requester)}::uuid[], ${kinds.map(({ given }) => given)}::uuid[],
        ${kinds.map(({ wait }) => requirementsId(tx, wait))}::uuid[]) with ordinality k (requester, given, wait_id, place)
        on k.place = 1 + (n / ${everyPending}) % ${kinds.length}`
    const subject = { amount: '1.00', currency: 'USD', payee: destinationId }
    await tx`
      insert into approvals (id, organization_id, action_type, target_type, target_id, status, policy, subject_body,
        subject_hash, summary, requester_id, approver_id, processed_at, wait_id, expires_at, inserted_at, updated_at)
      select approval_id, ${id}, 'withdrawal', 'internal_transfer', payment_id,
        case when pending then 'pending' else 'approved' end, ${tx.json(POLICY)}, body.text,
        encode(sha256(convert_to(body.text, 'UTF8')), 'hex'), '1.00 USD to Payee', requester,
        case when not pending then ${boss.userId}::uuid end, case when not pending then at end, wait_id,
        at + interval '365 days', at, at
      from made, lateral (select replace(${canonicalJson({ ...subject, target_id: '?' })}, '?', payment_id::text)) body (text)`
    await tx`
      insert into approval_decisions (decision_id, organization_id, approval_id, decision, user_id, device_id,
        approval_status, step)
      select gen_random_uuid(), ${id}, approval_id, 'approve', given, null, 'pending', 0 from made where given is not null`
    await tx`
      insert into payments (id, organization_id, payment_contact_id, destination_id, destination_name,
        payee_organization_id, approval_request_id, event_id, rail, status, status_detail, deducting_amount,
        deducting_currency, landing_amount, landing_currency, payout_reason, statement_description, created_by,
        inserted_at, updated_at)
      select payment_id, ${id}, ${contactId}, ${destinationId}, 'Payee', ${id}, approval_id, gen_random_uuid(), 'svc_id',
        case when pending then 'awaiting_approval' else 'succeeded' end,
        case when pending then 'awaiting approval' else 'settled' end, 1, 'USD', 1, 'USD',
        'services', 'Bench', requester, at, at
      from made`
  })
}

function refuseEmpty(): never {
  throw new Error('nobody asked')
}
