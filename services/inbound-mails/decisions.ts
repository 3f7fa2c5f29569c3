/** Decisions of people about mails: whose sender is accepted, and what is put away. */
import { refuse } from '../../domain/errors.ts'
import { eventsFrom } from '../../domain/flow.ts'
import type { BillId, InboundMailId } from '../../domain/ids.ts'
import { inboundMailEvents, inboundMailMoves } from '../../domain/inbound-mails/events.ts'
import { type InboundMailStatus, inboundMailFlow } from '../../domain/inbound-mails/flow.ts'
import type { Memory } from '../../domain/inbound-mails/inbound-mail.ts'
import type { Person } from '../../domain/people/actor.ts'
import { cancelBill, trustBills } from '../bills/commands.ts'
import { lockAllBills } from '../bills/fields.ts'
import { newCause, record } from '../events.ts'
import { transition } from '../../db/processes/transition.ts'
import { type Tx, first, sql } from '../../db/postgres/sql.ts'
import { answerMail } from './answers.ts'

type LockedMail = { readonly status: InboundMailStatus; readonly from_address: string | null }

/** Locks a mail that waits for a decision. Refuses `not_found` and `invalid_state`; false if `done` says it is decided so. */
async function lockWaiting(tx: Tx, id: InboundMailId, done: InboundMailStatus): Promise<LockedMail | null> {
  const mail = await first(
    tx<LockedMail[]>`
      select status, from_address from inbound_mails
      where id = ${id} and organization_id = ${tx.organizationId} for no key update`,
  )
  if (!mail) refuse('not_found')
  const { status } = mail
  if (status === done) return null
  if (status !== 'unknown_sender' && status !== 'mail_without_bill')
    refuse('invalid_state', { current: status, allowed: eventsFrom(inboundMailFlow, status) })
  return mail
}

/**
 * Accepts the sender of a mail, once or for always: its bills may be paid. A repeat changes nothing. Refuses
 * `invalid_state`, and `unprocessable_entity` to remember a mail without a sender.
 */
export async function acceptMail(tx: Tx, person: Person, id: InboundMailId, remember: Memory): Promise<void> {
  const mail = await lockWaiting(tx, id, 'accepted')
  if (!mail) return
  const { from_address: address } = mail
  if (remember === 'always') {
    if (address === null) refuse('unprocessable_entity', { reason: 'no_sender' })
    await tx`
      insert into mail_senders (organization_id, address, accepted_by)
      values (${tx.organizationId}, ${address}, ${person.userId}) on conflict do nothing`
  }
  await trustBills(tx, await billsOf(tx, id))
  const set = sql`decided_by = ${person.userId}`
  const payload = { remember }
  await transition(tx, inboundMailMoves, id, { events: ['accept'], cause: `decision:${id}`, set, payload })
  await answerMail(tx, id)
}

/** Forgets the sender of a mail: later mails of them wait again. A repeat changes nothing. Refuses `not_found`. */
export async function forgetSender(tx: Tx, id: InboundMailId): Promise<void> {
  const mail = await first(
    tx<Pick<LockedMail, 'from_address'>[]>`
      select from_address from inbound_mails where id = ${id} and organization_id = ${tx.organizationId}`,
  )
  if (!mail) refuse('not_found')
  const forgotten = await tx`
    delete from mail_senders where organization_id = ${tx.organizationId} and address = ${mail.from_address} returning address`
  if (forgotten.length > 0) await record(tx, inboundMailEvents.sender_forgotten, { subjectId: id, cause: newCause() })
}

/**
 * Refuses a mail: bills that came by it alone, and of no accepted sender, are put away. A repeat changes nothing.
 * Refuses `invalid_state`.
 */
export async function refuseMail(tx: Tx, person: Person, id: InboundMailId): Promise<void> {
  if (!(await lockWaiting(tx, id, 'refused'))) return
  const found = await billsOf(tx, id)
  await lockAllBills(tx, found) // another mail may bring them at this moment, and be taken
  const bills = await tx<{ id: BillId }[]>`
    select b.id from bills b where b.id = any (${found}) and b.sender_is_unknown
      and b.status in ('extracting', 'extracted') and not exists (
        select from inbound_mail_files f join inbound_mails m on m.id = f.mail_id
        where f.bill_id = b.id and m.id <> ${id} and m.status = 'unknown_sender')
    order by b.id`
  const billIds = bills.map((bill) => bill.id)
  for (const billId of billIds) await cancelBill(tx, billId)
  const set = sql`decided_by = ${person.userId}`
  const payload = { bill_ids: billIds }
  await transition(tx, inboundMailMoves, id, { events: ['refuse'], cause: `decision:${id}`, set, payload })
}

async function billsOf(tx: Tx, id: InboundMailId): Promise<BillId[]> {
  const found = await tx<{ bill_id: BillId }[]>`
    select distinct bill_id from inbound_mail_files where mail_id = ${id} and bill_id is not null`
  return found.map(({ bill_id: billId }) => billId)
}
