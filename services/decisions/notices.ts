/** Mails to approvers: one person at a time is locked, so that no request is mailed to them twice as new. */
import type { TargetType } from '../../domain/approvals/approval.ts'
import { type NoticeFacts, planNotice } from '../../domain/approvals/notice.ts'
import { type Reviewer, candidates, isSubstitute, openStep } from '../../domain/approvals/requirements.ts'
import { STOP_NAMES } from '../../domain/approvals/warning.ts'
import type { UserId } from '../../domain/ids.ts'
import type { Notify } from '../../domain/people/person.ts'
import { fullName } from '../../db/postgres/fragments.ts'
import { type Tx, sql, within } from '../../db/postgres/sql.ts'
import { type PendingGroup, isUnexpired, pendingGroups } from '../approvals/pending.ts'
import type { PendingApproval } from '../approvals/requests.ts'
import { sendMessage } from '../messages/messages.ts'
import { type NoticedRequest, noticeOf } from './notice-mails.ts'
import { reservingOf, targetOf } from './targets.ts'

type Request = Pick<PendingApproval, 'id' | 'type'> & { readonly target_id: string }
type Recipient = { readonly userId: UserId; readonly email: string; readonly mail: 'all' | 'new' }

/** Chooses the approvers who are mailed now; `next`: the instant of the next look, infinity if there is none. */
export async function planNotices(
  tx: Tx,
  request: Request,
  approvers: readonly Reviewer[],
): Promise<{ readonly recipients: readonly Recipient[]; readonly next: number }> {
  const people = await lockRecipients(tx, approvers)
  // read after the locks, so that it has what a step that held them mailed
  const [times] = await tx<ApprovalTimes[]>`
    select extract(epoch from business_now())::float8 as now, extract(epoch from a.inserted_at)::float8 as requested,
      extract(epoch from a.updated_at)::float8 as since, extract(epoch from a.expires_at)::float8 as expires,
      (select coalesce(jsonb_object_agg(n.user_id, extract(epoch from n.told_at)), '{}') from approval_notices n
        where n.approval_id = a.id) as told
    from approvals a where a.id = ${request.id}`
  if (!times) throw new Error('an approval that was locked is gone')
  const isNew = people.some(({ user_id: id }) => times.told[id] === undefined)
  const isWarned = isNew && (await stopsOf(tx, request)).length > 0
  const plans = people.map(({ user_id: userId, email, ...standing }) => {
    const facts: NoticeFacts = { ...times, ...standing, told: times.told[userId] ?? null, isWarned }
    return { userId, email, ...planNotice(facts) }
  })
  // members who join later are found by these looks
  const others = planNotice({ ...times, notify: 'digest', told: times.now, sent: 0, listed: 0, isWarned: false })
  return {
    recipients: plans.flatMap(({ userId, email, mail }) => (mail ? [{ userId, email, mail }] : [])),
    next: Math.min(others.next, ...plans.map(({ next }) => next)),
  }
}

type ApprovalTimes = Pick<NoticeFacts, 'now' | 'requested' | 'since' | 'expires'> & {
  readonly told: Readonly<Record<string, number>>
}
type RecipientRow = {
  readonly user_id: UserId
  readonly email: string
  readonly notify: Notify
  readonly sent: number
  readonly listed: number
}

/** Locks the mails to these people, by their ids, until the transaction ends. */
async function lockRecipients(tx: Tx, approvers: readonly Reviewer[]): Promise<readonly RecipientRow[]> {
  const ids = approvers.map(({ userId }) => userId)
  await tx`
    insert into approval_reminders (organization_id, user_id, sent_at)
    select ${tx.organizationId}, id, '-infinity' from unnest(${ids}::uuid[]) id order by id
    on conflict do nothing`
  return tx<RecipientRow[]>`
    select r.user_id, p.email, p.notify, extract(epoch from r.sent_at)::float8 as sent,
      extract(epoch from r.listed_at)::float8 as listed
    from approval_reminders r join people p on p.id = r.user_id
    where r.organization_id = ${tx.organizationId} and r.user_id = any (${ids}::uuid[])
    order by r.user_id for update of r`
}

/** Lists the warnings at which an approver has to stop and look, the gravest first. */
async function stopsOf(tx: Tx, { type, target_id: id }: Omit<Request, 'id'>) {
  const found = (await targetOf(type).warnings?.(within(tx), id)) ?? []
  return STOP_NAMES.filter((name) => found.includes(name))
}

type Audience = { readonly recipients: readonly Recipient[]; readonly members: readonly Reviewer[] }

/** Mails recipients what waits for them, and notes what each mail named. They must be locked. */
export async function mailApprovers(tx: Tx, row: PendingApproval, { recipients, members }: Audience): Promise<void> {
  const groups = await pendingGroups(within(tx))
  const stops = new Map<string, ReturnType<typeof stopsOf>>()
  for (const recipient of recipients) {
    const waits = waitsOf(groups, members, recipient)
    const read = await noteRequests(tx, recipient, { first: row.id, waits: [...waits.keys()] })
    for (const one of read.slice(0, WARNINGS_MAX)) if (!stops.has(one.id)) stops.set(one.id, stopsOf(tx, one))
    const requests = read.map(async (one): Promise<NoticedRequest> => {
      return { ...one, stops: (await stops.get(one.id)) ?? [], acting: waits.get(one.wait_id) ?? false }
    })
    const count = read[0]?.count ?? 0
    const money = count > 1 && count <= READ_MAX ? [...(await readReservations(tx, read))] : []
    const mail = noticeOf(row.organization, { count, money, requests: await Promise.all(requests) })
    await sendMessage(tx, { recipient: recipient.email, channel: 'email', mail })
  }
  const ids = (all: boolean) => recipients.flatMap(({ userId, mail }) => (all && mail !== 'all' ? [] : [userId]))
  await tx`
    update approval_reminders set sent_at = business_now(),
      listed_at = case when user_id = any (${ids(true)}::uuid[]) then business_now() else listed_at end
    where organization_id = ${tx.organizationId} and user_id = any (${ids(false)}::uuid[])`
}

/** Most requests of a mail that are read: of more only the number is named. */
const READ_MAX = 1000
/** Most requests of a mail whose warnings are read. Each warned one is mailed at its own first look anyway. */
const WARNINGS_MAX = 100

/** Finds the requirements that a person may approve now; true for those as a substitute. */
const waitsOf = (groups: readonly PendingGroup[], members: readonly Reviewer[], { userId }: Recipient) =>
  new Map(
    groups.flatMap(({ id, wait }) => {
      const own = members.filter((member) => member.userId === userId)
      const [found] = candidates(wait, openStep(wait), own)
      return found ? [[id, isSubstitute(userId, found.capacity)] as const] : []
    }),
  )

type NoticedRow = Omit<NoticedRequest, 'stops' | 'acting'> & {
  readonly type: TargetType
  readonly target_id: string
  readonly wait_id: string
  readonly count: number
}

/** Notes that a person is mailed of all that waits, and reads what the mail names: the first, then by expiry. */
const noteRequests = (
  tx: Tx,
  { userId, mail }: Recipient,
  { first, waits }: { readonly first: string; readonly waits: readonly string[] },
): Promise<NoticedRow[]> => tx<NoticedRow[]>`
    with fresh as (
      insert into approval_notices (organization_id, approval_id, user_id)
      select approvals.organization_id, approvals.id, ${userId} from approvals
      where approvals.status = 'pending' and approvals.wait_id in (select unnest(${[...waits]}::uuid[])) ${isUnexpired()}
      on conflict do nothing
      returning approval_id)
    select approvals.id, approvals.target_type as type, approvals.target_id, approvals.wait_id, approvals.summary,
      approvals.expires_at as until, json_build_object('name', ${fullName(sql`p`)}, 'email', p.email) as requester,
      (count(*) over ())::integer as count
    from approvals join people p on p.id = approvals.requester_id
    where ${
      mail === 'new'
        ? sql`approvals.id in (select approval_id from fresh)`
        : sql`approvals.status = 'pending' and approvals.wait_id in (select unnest(${[...waits]}::uuid[])) ${isUnexpired()}`
    }
    order by approvals.id = ${first} desc, approvals.expires_at, approvals.id limit ${READ_MAX}`

/** Reads the amounts that requests take from the balance. */
async function readReservations(tx: Tx, rows: readonly NoticedRow[]) {
  const targets = rows.map(({ type, target_id }) => ({ target_type: type, target_id }))
  const taken = await reservingOf(within(tx), targets)
  return [...taken.values()].map(({ money }) => money)
}
