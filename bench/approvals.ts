/** G11: list, attention and its summary among 100,000 approvals, against GET /me. */
import { randomUUID } from 'node:crypto'
import { requirementsId, writeRequirements } from '../services/approvals/requests.ts'
import { canonicalJson } from '../domain/canonical.ts'
import {
  type Policy,
  type ApprovalRequirements,
  initialRequirements,
  addApproval,
} from '../domain/approvals/requirements.ts'
import type { OrganizationId, UserId } from '../domain/ids.ts'
import type { Tx } from '../db/postgres/sql.ts'
import { against, inTurn, line, median, quantile, read } from './measure.ts'
import { type SignedIn, insertPerson, owner } from './owner.ts'
import { noteValues, turns } from './turns.ts'

const APPROVALS = 100_000
const REQUESTERS = 25
const TRIES = 100
const WARM_TRIES = 30
const AT_MOST = 3
/** Policy of two steps, so that approvals wait for different people. */
const POLICY: Policy = {
  steps: [
    { required: 1, roles: ['admin'], user_ids: [] },
    { required: 1, roles: ['owner'], user_ids: [] },
  ],
  self_approval: false,
  expires_after_hours: 24 * 365,
}

type World = { id: OrganizationId; boss: SignedIn; admin: SignedIn; requesters: SignedIn[] }

/** Reports approvals: all pending, and all but one in a hundred decided. */
export async function benchApprovals(apiUrl: string, rounds: number): Promise<void> {
  for (const [name, everyPending] of Object.entries({ 'all pending': 1, '99% decided': 100 })) {
    const world = await makeWorld()
    await fill(world, everyPending)
    await owner`vacuum (analyze) approvals, approval_waits, payments`
    await measure(apiUrl, world, name, rounds)
  }
}

async function measure(apiUrl: string, { id, boss }: World, name: string, rounds: number): Promise<void> {
  const get = (path: string) => () => read(`${apiUrl}/api/v1${path}`, { authorization: `Bearer ${boss.token}` })
  const empty = get('/me') // a session and one row by key: no route asks for less
  for (const path of ['approvals', 'attention', 'attention?actionable=true', 'attention/summary']) {
    const ask = get(`/organizations/${id}/${path}`)
    await inTurn(WARM_TRIES, ask, empty)
    const title = `GET …/${path}, ${name}`
    const results = await turns(title, rounds, async () => {
      const times = await inTurn(TRIES, ask, empty)
      noteValues({ 'p50 ms': median(times.a) })
      return times
    })
    const ratio = median(results.map(({ a, b }) => median(a) / median(b)))
    const ms = (share: number) => {
      const [ours, theirs] = [results.flatMap(({ a }) => a), results.flatMap(({ b }) => b)]
      return against(quantile(ours, share), quantile(theirs, share), 'ms', 2)
    }
    line(title, ratio, `p50 ${ms(0.5)}, p99 ${ms(0.99)}`, { atMost: AT_MOST })
  }
}

async function makeWorld(): Promise<World> {
  const id = randomUUID() as OrganizationId // a new id may get any kind
  const [boss, admin] = [await insertPerson(), await insertPerson()]
  const requesters: SignedIn[] = []
  for (let made = 0; made < REQUESTERS; made += 1) requesters.push(await insertPerson())
  await owner`insert into organizations (id, name, svc_id, created_by)
    values (${id}, 'Approvals', ${`b-${id.slice(0, 13)}`}, ${boss.userId})`
  for (const [role, people] of Object.entries({ owner: [boss], admin: [admin], member: requesters })) {
    for (const { userId } of people) {
      await owner`insert into members (organization_id, user_id, role) values (${id}, ${userId}, ${role})`
    }
  }
  return { id, boss, admin, requesters }
}

type Kind = { readonly requester: UserId; readonly wait: ApprovalRequirements; readonly given: UserId | null }

/** Inserts pending payments as the service writes them; all but every `everyPending`th are fully approved. */
async function fill({ id, boss, admin, requesters }: World, everyPending: number): Promise<void> {
  const kinds = requesters.flatMap(({ userId }): Kind[] => {
    const wait = initialRequirements(POLICY, userId)
    return [
      { requester: userId, wait, given: null },
      { requester: userId, wait: addApproval(wait, admin.userId), given: admin.userId },
    ]
  })
  await owner.begin(async (plain) => {
    // the owner of the database needs no row-level setting
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
      select gen_random_uuid(), ${id}, approval_id, 'approve', given, d.id, 'pending', 0
      from made join devices d on d.user_id = given`
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
