/** The payee of a bill, before it is paid: found, and the account that the bank is asked about. */
import { canonicalJson } from '../../domain/canonical.ts'
import { coordinatesOf, namesAccount } from '../../domain/bills/account.ts'
import type { BillFields } from '../../domain/bills/fields.ts'
import { type Coordinates, coordinatesIn } from '../../domain/contacts/destination.ts'
import { Refusal } from '../../domain/errors.ts'
import type { BillId, ContactId, DestinationId } from '../../domain/ids.ts'
import type { PayeeAnswer } from '../../domain/payee-checks/payee-check.ts'
import { payeeAtDestination } from '../contacts/destinations.ts'
import type { Asked } from '../payee-checks/checks.ts'
import { type QuotedDestination, destinationToPay } from '../payments/quotes.ts'
import { type Reader, first, sql } from '../sql.ts'
import { type BillRow, billColumns, fieldsIn } from './bills.ts'
import { accountOf } from './fields.ts'

type Found = { readonly contact_id: ContactId; readonly status: string; readonly destination_id: DestinationId | null }

/** Finds the contact to pay: the given one, one with the bill's account, or the one it names. */
export function findPayee(
  reader: Reader,
  { payment_contact_id: named }: BillRow,
  fields: BillFields,
  given: ContactId | undefined,
): Promise<Found | undefined> {
  const fingerprints = accountOf(reader, fields)
  return first(
    reader<Found>(sql`
      select c.id as contact_id, c.status, d.id as destination_id
      from payment_contacts c
      left join lateral (select d.id from payment_destinations d
        where d.payment_contact_id = c.id and d.deleted_at is null and (not d.pending or c.status = 'pending_approval')
          and d.fingerprint in (select decode(f, 'hex') from unnest(${[...fingerprints]}::text[]) f)
        order by d.is_default desc, d.inserted_at, d.id limit 1) d on true
      where c.organization_id = ${reader.organizationId} and c.deleted_at is null and not c.one_time
        and case when ${given ?? null}::uuid is not null then c.id = ${given ?? null}
          else c.status in ('active', 'pending_approval')
            and (d.id is not null or (c.id = ${named} and ${!namesAccount(fields)})) end
      order by c.id is not distinct from ${named}::uuid desc, c.status = 'active' desc, c.inserted_at, c.id limit 1`),
  )
}

/** Account that the bank was asked about, and its answer. */
export type AskedBank = { readonly coordinates: Coordinates; readonly answer: PayeeAnswer }

/** Finds the account that a payment of a bill would be made to; null if it is not known yet, or no bank account. */
export async function accountToPay(
  reader: Reader,
  id: BillId,
  given: ContactId | undefined,
): Promise<Coordinates | null> {
  const bill = await first(
    reader<BillRow>(
      sql`select ${billColumns()} from bills where id = ${id} and organization_id = ${reader.organizationId}`,
    ),
  )
  if (!bill) return null
  try {
    const fields = fieldsIn(bill)
    const found = await findPayee(reader, bill, fields, given)
    if (found) {
      const { id: destinationId, rail } = await destinationToPay(reader, found.contact_id, found.destination_id)
      return rail === 'fiat' ? (await payeeAtDestination(reader, destinationId)).coordinates : null
    }
    const coordinates = coordinatesOf(fields)
    return coordinates ? coordinatesIn({ ...coordinates, default: false }) : null
  } catch (error) {
    if (error instanceof Refusal) return null // the request itself refuses it
    throw error
  }
}

/** Gives the bank's answer to a destination, if it was asked about exactly this account; else it gave none. */
export async function answerAbout(
  reader: Reader,
  { id, rail }: QuotedDestination,
  asked: AskedBank | null,
): Promise<Asked | null> {
  if (rail !== 'fiat') return null
  const { coordinates } = await payeeAtDestination(reader, id)
  const isSame = asked && canonicalJson(asked.coordinates) === canonicalJson(coordinates)
  return { destinationId: id, coordinates, answer: isSame ? asked.answer : NO_ANSWER }
}

const NO_ANSWER = { result: 'not_possible', name: null, reason: 'unavailable' } as const
