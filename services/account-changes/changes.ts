/** Changes of accounts: what approvers see of them, and the mail to the payee. */
import {
  type AccountChange,
  type CallBack,
  type ChangedAccount,
  type ChangeFacts,
  FORMER_EMAIL_DAYS,
  isChanged,
} from '../../domain/account-changes/change.ts'
import { batchEvents, batchMoves } from '../../domain/batches/events.ts'
import { BANK_DETAILS } from '../../domain/bills/fields.ts'
import type { DestinationType } from '../../domain/destinations/destination.ts'
import { minuteOf } from '../../domain/instants.ts'
import { becauseEntered } from '../../domain/messages/footers.ts'
import { type Money, moneyOf } from '../../domain/money/money.ts'
import { quoteInMail } from '../../domain/text.ts'
import { sendMessage } from '../messages/messages.ts'
import { fullName, hasGoneOut, instantText } from '../../db/postgres/fragments.ts'
import { type Fragment, type Reader, type Tx, sql, within } from '../../db/postgres/sql.ts'
import { factsOfDestination } from './facts.ts'
import { usableAt } from './suppliers.ts'

/** A destination with its sealed coordinates, or its service ID. */
export type SealedAccount = {
  readonly id: string
  readonly type: DestinationType
  readonly sealed: string | null
  readonly svc_id: string | null
  readonly takes: string
}

type Details = Pick<AccountChange, 'changed_by' | 'call_back'> & {
  readonly old: SealedAccount
  /** Null if no destination has the account yet; so is its instant. */
  readonly new: SealedAccount | null
  readonly changed_at: string | null
  readonly paid: Omit<AccountChange['paid_to_old'], 'totals'> & { readonly totals: readonly Money[] }
}

/** Opens sealed coordinates, and leaves of them what approvers see. */
export type ShowAccount = (account: SealedAccount) => ChangedAccount

/**
 * Reads what approvers see of a changed account; null if it is not changed. Who changed it: the person who added the
 * destination or made it the default, and those who brought it by a bill.
 * @param bring describes an account that no destination has yet
 */
export async function describeChange(
  reader: Reader,
  facts: ChangeFacts | null,
  show: ShowAccount,
  bring?: () => Promise<Brought>,
): Promise<AccountChange | null> {
  if (!facts || !isChanged(facts)) return null
  const [details] = await reader<Details>(sql`
    select ${selectAccount(sql`f`)} as old, case when d.id is not null then ${selectAccount(sql`d`)} end as new,
      ${usableAt(sql`d`)} as changed_at, ${sumPaidTo(sql`f`, reader)} as paid, ${callBackOf(sql`d`)} as call_back,
      (select coalesce(json_agg(json_build_object('id', w.id, 'name', ${fullName(sql`w`)}) order by w.id), '[]')
        from people w where w.id in (${changersOf(sql`d`, reader)})) as changed_by
    from payment_destinations f left join payment_destinations d on d.id = ${facts.destination}
    where f.id = ${facts.other}`)
  if (!details) throw new Error('the accounts of a change are there')
  const { old, new: now, changed_at: changedAt, paid, ...rest } = details
  const known = now && changedAt !== null ? { new: show(now), changed_at: changedAt } : null
  const brought = (await bring?.()) ?? known
  if (!brought) throw new Error('an account that no destination has is brought by something')
  const totals = paid.totals.map(({ amount, currency }) => moneyOf(amount, currency))
  return { old: show(old), ...rest, ...brought, paid_to_old: { ...paid, totals } }
}

/** Selects the SealedAccount of a destination. */
const selectAccount = (d: Fragment): Fragment => sql`
  json_build_object('id', ${d}.id, 'type', ${d}.type, 'sealed', encode(${d}.sealed, 'hex'), 'svc_id', ${d}.svc_id,
    'takes', ${d}.currency)`

/** Account of a row of a batch, which no destination has yet. */
export type Brought = Pick<AccountChange, 'new' | 'changed_at' | 'changed_by'>

/** Selects what was paid to the account `f`, wherever it stands. */
const sumPaidTo = (f: Fragment, { organizationId }: Reader): Fragment => sql`(
  select json_build_object('count', coalesce(sum(s.count), 0), 'last_at', ${instantText(sql`max(s.last_at)`)},
    'totals', coalesce(json_agg(json_build_object('amount', s.amount::text, 'currency', s.currency)
      order by s.currency), '[]'))
  from (select p.landing_currency as currency, count(*) as count, sum(p.landing_amount) as amount,
      max(p.inserted_at) as last_at
    from payment_destinations e join payments p on p.destination_id = e.id
    where e.organization_id = ${organizationId} and e.account_id = ${f}.account_id
      and ${hasGoneOut(sql`p`)} group by 1) s)`

/** Selects the call-back about the destination `d`; null without one. */
export const callBackOf = (d: Fragment): Fragment => sql`(
  select json_build_object('confirmed_by', json_build_object('id', k.confirmed_by, 'name', ${fullName(sql`caller`)}),
    'confirmed_at', ${instantText(sql`k.inserted_at`)}, 'spoken_to', k.spoken_to, 'note', k.note)
  from account_callbacks k join people caller on caller.id = k.confirmed_by where k.destination_id = ${d}.id)`

/** Reads the call-backs about destinations. */
export const readCallBacks = async (
  reader: Reader,
  ids: readonly string[],
): Promise<(CallBack & { readonly destination_id: string })[]> => {
  const rows = await reader<{ id: string; call_back: CallBack }>(sql`
    select d.id, ${callBackOf(sql`d`)} as call_back from payment_destinations d
    where d.id = any (${[...ids]}::uuid[]) and d.organization_id = ${reader.organizationId}
      and exists (select from account_callbacks k where k.destination_id = d.id)
    order by d.id`)
  return rows.map(({ id, call_back: call }) => ({ destination_id: id, ...call }))
}

/**
 * Selects the people who ever brought the account of the destination `d`. By any destination, bill or row of a batch; they
 * cannot confirm it, also where another person has deleted it and added it again.
 */
export const bringersOf = (reader: Pick<Reader, 'organizationId'>): Fragment => sql`
  select w.id from (select ${reader.organizationId}::uuid as organization_id, d.account_id offset 0) own
  cross join lateral (
    select b.id from payment_destinations d cross join lateral (${changersOf(sql`d`, reader)}) b (id)
    where d.organization_id = own.organization_id and d.account_id = own.account_id
    union select e.actor_user_id from payment_batch_rows r join events e on e.subject_id = r.payment_batch_id
    where r.account_id = own.account_id and r.payment_id is null and r.fingerprint is not null
      and e.type = any (${[batchMoves.types.import.type, batchEvents.row_added.type, batchEvents.row_changed.type]})
  ) w where w.id is not null`

/** Selects who brought the account of the destination `d` or its bill, or accepted its mail. */
export const changersOf = (d: Fragment, { organizationId }: Pick<Reader, 'organizationId'>): Fragment => sql`
  select ${d}.created_by union select unnest(${d}.brought_by)
  union select a.requester_id from approvals a
    where a.organization_id = ${organizationId} and a.target_type = 'payment_contact'
      and a.target_id = ${d}.payment_contact_id and a.subject_body::jsonb ->> 'becomes_default' = ${d}.id::text
  union select e.actor_user_id from events e
    where e.organization_id = ${organizationId} and e.subject_id = ${d}.id and e.actor_user_id is not null
      and e.type = any ('{payment_destination.created,payment_destination.made_default}')
  union select e.actor_user_id from bills b
    cross join lateral jsonb_each(b.origins) o
    join events e on e.id = (o.value ->> 'event')::uuid and e.actor_user_id is not null
    where b.organization_id = ${organizationId} and b.account_id = ${d}.account_id
      and o.key = any (${[...BANK_DETAILS]}) and (o.value ->> 'typed')::boolean
  union select b.created_by from bills b
    where b.organization_id = ${organizationId} and b.account_id = ${d}.account_id
  union select m.decided_by from bills b
    join inbound_mail_files f on f.bill_id = b.id join inbound_mails m on m.id = f.mail_id and m.status = 'accepted'
    where b.organization_id = ${organizationId} and b.account_id = ${d}.account_id and b.inbound_mail_id is not null`

/**
 * Notes destinations that can be paid now. Contacts that were paid elsewhere before get a mail, at the address that was
 * there before the change; without one there is none.
 */
export async function noteUsable(tx: Tx, destinationIds: readonly string[]): Promise<void> {
  for (const id of destinationIds) {
    const facts = await factsOfDestination(within(tx), id)
    if (facts) await noteChange(tx, facts)
  }
}

/** Notes a changed account, and mails its payee; each two accounts once. A payment of it may be what shows it first. */
export async function noteChange(tx: Tx, facts: ChangeFacts): Promise<void> {
  if (!isChanged(facts) || facts.destination === null) return
  const recipients = await recipientsOf(tx, facts)
  const noted = await tx`
    insert into account_changes (destination_id, former_destination_id, organization_id, mailed)
    values (${facts.destination}, ${facts.other}, ${tx.organizationId}, ${recipients.length > 0})
    on conflict do nothing returning destination_id`
  if (noted.length > 0) await mailPayee(tx, recipients, WAYS[facts.type])
}

/** Mails the payee of an account that no destination has yet. */
export const mailFormer = async (tx: Tx, facts: ChangeFacts): Promise<void> =>
  mailPayee(tx, await recipientsOf(tx, facts), WAYS[facts.type])

/**
 * Reads the addresses of the contact that was paid before. After a change of its address in the last days, that is the
 * one before and the present one: whichever of both is the payee's own.
 */
async function recipientsOf(tx: Tx, { other }: ChangeFacts): Promise<string[]> {
  const rows = await tx<{ recipient: string }[]>`
    select distinct w.recipient from payment_destinations f join payment_contacts c on c.id = f.payment_contact_id
    cross join lateral (values (c.email), (case when
      c.email_changed_at > business_now() - make_interval(days => ${FORMER_EMAIL_DAYS}) then c.former_email end)) w (recipient)
    where f.id = ${other} and w.recipient is not null order by 1`
  return rows.map(({ recipient }) => recipient)
}

type Payer = {
  readonly name: string
  readonly contact_name: string | null
  readonly contact_phone: string | null
  readonly now: string
}

const WAYS: Readonly<Record<DestinationType, string>> = {
  bank: 'bank account',
  crypto: 'wallet',
  svc_id: 'service ID',
}

/** Mails a payee. It names the payer alone: no word of it comes from who changed the account. */
async function mailPayee(tx: Tx, recipients: readonly string[], way: string): Promise<void> {
  if (recipients.length === 0) return
  const [payer] = await tx<Payer[]>`
    select name, contact_name, contact_phone, business_now() as now from organizations where id = ${tx.organizationId}`
  if (!payer) throw new Error('the organization is there')
  const { name, contact_name: person, contact_phone: phone } = payer
  const organization = quoteInMail(name)
  for (const recipient of recipients) {
    await sendMessage(tx, {
      recipient,
      channel: 'email',
      mail: {
        subject: `Another ${way} for payments to you was entered at ${organization}`,
        paragraphs: [
          `${organization} pays you, and another ${way} was entered there for that.`,
          'If you have told them of it, you need to do nothing.',
          `If you have not, call ${person ? quoteInMail(person) : 'the person whom you know'} at ${organization} now, by a number that you know from before. Do not answer this mail.`,
        ],
        facts: [
          ['Payer', organization],
          ['Entered', minuteOf(payer.now)],
          ...(person ? [['Turn to', quoteInMail(person)] as const] : []),
          ...(phone ? [['Phone', quoteInMail(phone)] as const] : []),
        ],
        footer: becauseEntered(`You receive this mail because ${organization} has your address as that of a payee.`),
      },
    })
  }
}
