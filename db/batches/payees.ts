/** Who is paid by rows, and whether they may be at the moment when they are. */
import { rulesOf } from '../approvals/policies.ts'
import { ruleFor } from '../../domain/approvals/policy.ts'
import { type PayeeRow, payeeOfRow, payeeRowColumns } from '../contacts/destinations.ts'
import { payeeInWords } from '../../domain/contacts/destination.ts'
import { quoted } from '../../domain/text.ts'
import { type Fragment, type Reader, type Tx, sql } from '../sql.ts'
import { bankDetailsOf, readableCells } from './cells.ts'

/** Whether the policy asks for the approval of contacts. Then a file pays nobody whom no contact stands for. */
export const asksForContacts = async (reader: Reader): Promise<boolean> =>
  ruleFor(await rulesOf(reader), { action_type: 'payment_contact' }) !== null

/**
 * What stands against paying the row `r` now, to the contact `c` and destination `d` that it names, if it names any.
 * `known`: somebody whom no contact stands for may not be paid, whatever it was when the batch was submitted.
 */
export const payeeFault = (known: boolean): Fragment => sql`
  case
    when r.payee_organization_id is not null and not can_receive(r.payee_organization_id) then 'payee unavailable'
    when r.payment_contact_id is null then ${known ? sql`case when ${isStranger()} then 'contact_not_approved' end` : sql`null`}
    when c.deleted_at is not null or c.status <> 'active' then 'contact_not_approved'
    when d.deleted_at is not null or d.pending then 'destination_missing' end`

/** Whether no active contact is paid where the row `r` pays. */
const isStranger = (): Fragment => sql`
  not exists (select from payment_destinations o join payment_contacts p on p.id = o.payment_contact_id
    where o.organization_id = r.organization_id and o.deleted_at is null and not o.pending
      and p.status = 'active' and p.deleted_at is null
      and case r.rail when 'svc_id' then o.payee_organization_id = r.payee_organization_id
        else o.type = 'bank' and o.fingerprint = r.fingerprint end)`

type Named = {
  readonly id: string
  readonly payee: string
  readonly svc_id: string | null
  readonly rail: string
  readonly sealed: string
  readonly destination: PayeeRow | null
}

/** Whom rows pay, in words, by their ids: the name, and the end of the account or the service ID. */
export async function payeesInWords(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await tx<Named[]>`
    select r.id, r.payee, r.svc_id, r.rail, encode(r.sealed, 'hex') as sealed,
      (select to_json(x) from (select ${payeeRowColumns()} from payment_destinations d where d.id = r.destination_id) x)
        as destination
    from payment_batch_rows r where r.id = any (${[...ids]})`
  return new Map(rows.map((row) => [row.id, shownPayee(row)]))
}

function shownPayee({ destination, rail, payee, svc_id: svcId, ...row }: Named): string {
  if (rail === 'fiat' && !destination)
    return readableCells(row) ? payeeInWords(null, bankDetailsOf(row)) : `${quoted(payee)}, account …`
  const at = destination ? payeeOfRow(destination) : payeeInWords(svcId, null)
  return destination?.type === 'bank' ? at : `${quoted(payee)}, ${at}`
}
