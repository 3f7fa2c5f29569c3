/** Invitations as those see them who invite: made, found, listed. */
import { v5 } from 'uuid'
import { policyFor } from '../approvals/policies.ts'
import { expireRequest, requestApproval } from '../approvals/requests.ts'
import { type Claim, takeClaim } from '../idempotency.ts'
import { record } from '../events.ts'
import { expireInvitations, refuseInvitations } from './changes.ts'
import { type InvitationMail, mailInvitations } from './mails.ts'
import type { Person } from '../../domain/actor.ts'
import type { Policy } from '../../domain/approvals/requirements.ts'
import { refuse } from '../../domain/errors.ts'
import { type ApprovalId, type InvitationId, type UserId, newId } from '../../domain/ids.ts'
import { invitationFlow } from '../../domain/flows/invitation.ts'
import { invitationEvents } from '../../domain/invitations/events.ts'
import {
  INVITATION_DAYS,
  type Invitation,
  type InvitationFilters,
  type NewInvitation,
  eachOnce,
} from '../../domain/invitations/invitation.ts'
import type { Page } from '../../domain/pagination.ts'
import { pageOf } from '../pagination.ts'
import { newToken, tokenHash } from '../../platform/encryption.ts'
import { type Fragment, type Reader, type Tx, sql } from '../sql.ts'
import { requirePermissionLocked } from '../membership-lock.ts'
import { wake } from '../wakes.ts'

type InvitationRow = Omit<Invitation, 'card_limit'> & { card_limit: string | null }

/** Of the table: those that are shown. What expired is not, also if nobody has noticed yet. */
const selectShown = (): Fragment => sql`
  select id, organization_id, email, role, status, card_approved, card_limit, accepted_at, approval_request_id,
    expires_at, inserted_at, exists (select from people p where p.email = invitations.email) as user_exists
  from invitations
  where (status in ('accepted', 'pending_approval') or (status = 'pending' and expires_at > business_now()))`

const toInvitation = (row: InvitationRow): Invitation => ({
  ...row,
  card_limit: row.card_limit === null ? null : Number(row.card_limit),
})

/** One invitation that is shown; refuses `not_found`, also for one that was declined, deleted or has expired. */
export async function findInvitation(reader: Reader, id: InvitationId): Promise<Invitation> {
  const [found] = await findInvitations(reader, [id])
  return found ?? refuse('not_found')
}

/** Those of the invitations that are shown, in the order that is asked for. */
export async function findInvitations(reader: Reader, ids: readonly InvitationId[]): Promise<Invitation[]> {
  const rows = await reader<InvitationRow>(sql`
    ${selectShown()} and id = any (${[...ids]}) and organization_id = ${reader.organizationId}
    order by array_position(${[...ids]}::uuid[], id)`)
  return rows.map(toInvitation)
}

/** Invitations by the filters, newest first. A cursor also resolves if its invitation has left the list. */
export async function listInvitations(reader: Reader, filters: InvitationFilters): Promise<Page<Invitation>> {
  const { status, q } = filters
  const page = await pageOf<InvitationRow>(
    reader,
    'invitations',
    filters,
    sql`${selectShown()}
      ${status ? sql`and status = ${status}` : sql``}
      ${q ? sql`and strpos(email, lower(${q})) > 0` : sql``}`,
  )
  return { ...page, data: page.data.map(toInvitation) }
}

/** The ids of what one call makes: of the same key and place always the same. */
export const invitationIds = (claim: Claim, count: number): InvitationId[] =>
  Array.from({ length: count }, (_, index) => v5(String(index), claim.id) as InvitationId) // new ids

type Row = NewInvitation & { readonly id: InvitationId; readonly approvalId: ApprovalId | null }

/**
 * Makes all of the invitations, or none; false when the claim was taken by another request. Where the policy asks for
 * it they wait for approval, and otherwise their mails go out. Refuses `already_member`, and `invalid_state` for an
 * address that has an open invitation, both with index and address; and `rate_limited`.
 */
export async function createInvitations(
  tx: Tx,
  inviter: Person,
  claim: Claim,
  wanted: readonly NewInvitation[],
): Promise<boolean> {
  await requirePermissionLocked(tx, inviter, 'invitations.create')
  if (claim.keyed && !(await takeClaim(tx, claim))) return false
  await endOverdue(
    tx,
    wanted.map(({ email }) => email),
  )
  await refuseTaken(tx, wanted)
  const policy = await policyFor(tx, { action_type: 'organization_invitation' })
  const each = eachOnce(wanted)
  const ids = invitationIds(claim, each.length)
  const rows = each.map((invited, index): Row => ({
    ...invited,
    id: ids[index] as InvitationId, // as many as there are rows
    approvalId: policy && newId(),
  }))
  await Promise.all(rows.map((row) => recordCreated(tx, row)))
  if (policy) await Promise.all(rows.map((row) => requestInvitation(tx, { requester: inviter.userId, row, policy })))
  const mails = policy ? [] : rows.map(({ email, role }): InvitationMail => ({ email, role, token: newToken() }))
  const taken = await insertInvitations(tx, inviter.userId, rows, mails)
  if (taken) await refuseTakenSince(tx, wanted, taken)
  const status = policy ? 'pending_approval' : 'pending'
  wake(tx, invitationFlow, { ids: rows.map(({ id }) => id), why: 'created', status })
  if (mails.length > 0) await mailInvitations(tx, inviter.userId, mails)
  return true
}

/** What waited for these addresses and is over by business time ends, whether somebody has noticed or not. */
async function endOverdue(tx: Tx, emails: readonly string[]): Promise<void> {
  const overdue = await tx<{ id: InvitationId; approval_id: ApprovalId | null }[]>`
    select i.id, a.id as approval_id from invitations i left join approvals a
      on a.id = i.approval_request_id and i.status = 'pending_approval'
    where i.organization_id = ${tx.organizationId} and i.email = any (${[...emails]})
      and i.status in ('pending_approval', 'pending') and coalesce(a.expires_at, i.expires_at) <= business_now()
    order by a.id, i.id`
  for (const { id, approval_id: approvalId } of overdue) {
    const expired = approvalId && (await expireRequest(tx, id))
    if (expired) await refuseInvitations(tx, [id], () => expired.cause)
  }
  await expireInvitations(
    tx,
    overdue.map(({ id }) => id),
  )
}

/** Refuses the first address that is a member's, or has an open invitation. */
async function refuseTaken(tx: Tx, wanted: readonly NewInvitation[]): Promise<void> {
  const emails = wanted.map(({ email }) => email)
  const taken = await tx<{ email: string; id: string | null; open: 'pending' | 'pending_approval' | null }[]>`
    select p.email, null::uuid as id, null as open from members m join people p on p.id = m.user_id
    where m.organization_id = ${tx.organizationId} and p.email = any (${emails})
    union all
    select i.email, i.id, i.status from invitations i
    where i.organization_id = ${tx.organizationId} and i.email = any (${emails})
      and i.status in ('pending_approval', 'pending')`
  for (const [index, email] of emails.entries()) {
    const found = taken.find((row) => row.email === email)
    if (found?.open) refuseOpen({ index, email, id: found.id, current: found.open })
    if (found) refuse('already_member', { index, email })
  }
}

type Open = { index: number; email: string; id: string | null; current: 'pending' | 'pending_approval' }

/** `allowed` is what can be done with the invitation that is there. */
function refuseOpen({ index, email, id, current }: Open): never {
  const allowed = current === 'pending' ? ['resend', 'delete'] : ['delete']
  refuse('invalid_state', { reason: 'already_invited', index, email, invitation_id: id, current, allowed })
}

/** Of one request, each row is a cause of its own. */
const causeOf = (tx: Tx, { id }: Row): string => `request:${tx.correlationId ?? id}:${id}`

type Asked = { requester: UserId; row: Row; policy: Policy }

/** Approvers are shown, and their step-up is bound to, whom they let in as what. */
async function requestInvitation(tx: Tx, { requester, row, policy }: Asked): Promise<void> {
  const { id, approvalId, email, role, card_approved, card_limit } = row
  if (!approvalId) throw new Error('asked for approval without an id for it')
  await requestApproval(tx, {
    id: approvalId,
    target_type: 'organization_invitation',
    target_id: id,
    requester_id: requester,
    policy,
    subject: { target_id: id, email, role, card_approved, card_limit },
    summary: `Invitation of ${email} as ${role}`,
    cause: causeOf(tx, row),
  })
}

/**
 * One statement, in the order of the addresses: two calls with the same ones wait for each other one way, and the index
 * over open invitations decides between them. Answers an address that was lost to another call, if there is one.
 */
async function insertInvitations(
  tx: Tx,
  inviter: UserId,
  rows: readonly Row[],
  mails: readonly InvitationMail[],
): Promise<string | undefined> {
  const written = rows.map(({ approvalId, ...row }, index) => {
    const mail = mails[index]
    return { ...row, approval_id: approvalId, token_hash: mail ? tokenHash(mail.token).toString('hex') : null }
  })
  const inserted = await tx<{ email: string }[]>`
    insert into invitations (id, organization_id, email, role, status, card_approved, card_limit, token_hash,
      approval_request_id, invited_by, expires_at)
    select r.id, ${tx.organizationId}, r.email, r.role,
      case when r.approval_id is null then 'pending' else 'pending_approval' end, r.card_approved, r.card_limit,
      decode(r.token_hash, 'hex'), r.approval_id, ${inviter},
      coalesce(a.expires_at, business_now() + make_interval(days => ${INVITATION_DAYS}))
    from jsonb_to_recordset(${sql.json(written)}) r (id uuid, email text, role text, card_approved boolean,
      card_limit numeric, token_hash text, approval_id uuid)
    left join approvals a on a.id = r.approval_id
    order by r.email
    on conflict (organization_id, email) where status in ('pending_approval', 'pending') do nothing
    returning email`
  const emails = new Set(inserted.map(({ email }) => email))
  return rows.find(({ email }) => !emails.has(email))?.email
}

/** Refuses an address that another call has invited meanwhile. */
async function refuseTakenSince(tx: Tx, wanted: readonly NewInvitation[], email: string): Promise<never> {
  await refuseTaken(tx, wanted)
  const index = wanted.findIndex((one) => one.email === email)
  refuseOpen({ index, email, id: null, current: 'pending' }) // it was there, and has gone since
}

/** The event never holds the address: nobody can erase it there. */
const recordCreated = (tx: Tx, row: Row): Promise<void> => {
  const { id, role, card_approved, card_limit, approvalId } = row
  return record(tx, invitationEvents.created, {
    subjectId: id,
    cause: causeOf(tx, row),
    payload: { role, card_approved, card_limit, approval_request_id: approvalId },
  })
}
