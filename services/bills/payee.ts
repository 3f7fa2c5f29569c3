/** The payee of a bill, before it is paid: found, and the account that the bank is asked about. */
import { canonicalJson } from '../../domain/canonical.ts'
import type { Person } from '../../domain/people/actor.ts'
import { accountFaults, coordinatesOf, namesAccount, payeeAddressIn } from '../../domain/bills/account.ts'
import type { BillFields } from '../../domain/bills/fields.ts'
import { errorsOf, refuseFaults } from '../../domain/destinations/check.ts'
import type { NewPaymentContact } from '../../domain/contacts/contact.ts'
import { type Coordinates, coordinatesIn } from '../../domain/destinations/destination.ts'
import { holderKeyOf } from '../../domain/destinations/holder.ts'
import { Refusal, refuse } from '../../domain/errors.ts'
import { type BillId, type ContactId, type DestinationId, type OrganizationId, newId } from '../../domain/ids.ts'
import { type PayeeAnswer, type PayeeResult, isMismatch, isWorse } from '../../domain/payee-checks/payee-check.ts'
import type { Tag } from '../../domain/payments/quote.ts'
import type { Preparer } from '../../domain/people/delegate.ts'
import { createContact } from '../contacts/commands.ts'
import { fingerprintsOf } from '../contacts/destination-encryption.ts'
import { payeeAtDestination } from '../contacts/destinations.ts'
import { insertOneTimePayees } from '../contacts/new-destinations.ts'
import { requirePermissionLocked } from '../membership-lock.ts'
import type { AskedCheck } from '../payee-checks/checks.ts'
import { type QuotedDestination, destinationToPay } from '../payments/quotes.ts'
import { type Reader, type Tx, asSystem, first, sql, within } from '../../db/postgres/sql.ts'
import { type BillRow, billColumns, fieldsIn } from './bills.ts'
import { type LockedBill, accountOf } from './fields.ts'
import { type FoundRow, type GivenName, compareHolders } from './found-account.ts'

type FoundContact = FoundRow & {
  readonly contact_id: ContactId
  readonly status: string
  readonly tag: Tag | null
  readonly destination_id: DestinationId | null
}
type PayeeContact = FoundContact & { readonly given: GivenName | null }

/**
 * Finds the contact to pay: the given one, one with the bill's account, preferably under the bill's name, or the one it
 * names. `given` is the account under the name of the bill, if the contact has it under another.
 */
export async function findPayee(
  reader: Reader,
  { payment_contact_id: named }: BillRow,
  fields: BillFields,
  given: ContactId | undefined,
): Promise<PayeeContact | undefined> {
  const account = accountOf(fields)
  const fingerprints = account ? fingerprintsOf(reader.organizationId, account) : []
  const holder = holderKeyOf(coordinatesOf(fields)?.account_holder_name ?? '')
  const found = await first(
    reader<FoundContact>(sql`
      select c.id as contact_id, c.status, c.name, c.tag, d.id as destination_id,
        case when d.id is not null then json_build_object('id', d.id, 'sealed', encode(d.sealed, 'hex')) end as account
      from payment_contacts c
      left join lateral (select d.id, d.sealed, d.holder_key = ${holder} as same from payment_destinations d
        where d.payment_contact_id = c.id and d.deleted_at is null and (not d.pending or c.status = 'pending_approval')
          and d.fingerprint in (select decode(f, 'hex') from unnest(${[...fingerprints]}::text[]) f)
        order by d.holder_key is not distinct from ${holder} desc, d.is_default desc, d.inserted_at, d.id limit 1) d on true
      where c.organization_id = ${reader.organizationId} and c.deleted_at is null and not c.one_time
        and case when ${given ?? null}::uuid is not null then c.id = ${given ?? null}
          else c.status in ('active', 'pending_approval')
            and (d.id is not null or (c.id = ${named} and ${!namesAccount(fields)})) end
      order by c.id is not distinct from ${named}::uuid desc, coalesce(d.same, false) desc, c.status = 'active' desc,
        c.inserted_at, c.id limit 1`),
  )
  return found && { ...found, given: compareHolders(fields, found) }
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
      if (found.given) return found.given.coordinates
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

/**
 * Tells if the requester's acknowledgement is of this answer about a bill: no worse one than the bill was refused with
 * before. An answer that it is not of counts as seen from then on.
 */
export const acknowledgeAnswer = (
  organizationId: OrganizationId,
  id: BillId,
  { result }: PayeeAnswer,
  acknowledges: boolean,
): Promise<boolean> =>
  asSystem(organizationId, async (tx) => {
    if (!isMismatch(result)) return acknowledges
    const [bill] = await tx<{ seen: PayeeResult | null }[]>`
      select payee_seen as seen from bills where id = ${id} for no key update`
    const seen = bill?.seen && { result: bill.seen, name: null }
    if (acknowledges && (!seen || !isWorse(seen, { result, name: null }))) return true
    await tx`update bills set payee_seen = ${result} where id = ${id} and payee_seen is distinct from ${result}`
    return false
  })

/** Gives the bank's answer to a destination, if it was asked about exactly this account; else it gave none. */
export async function answerAbout(
  reader: Reader,
  { id, rail }: QuotedDestination,
  asked: AskedBank | null,
): Promise<AskedCheck | null> {
  if (rail !== 'fiat') return null
  const { coordinates } = await payeeAtDestination(reader, id)
  const isSame = asked && canonicalJson(asked.coordinates) === canonicalJson(coordinates)
  return { destinationId: id, coordinates, answer: isSame ? asked.answer : NO_ANSWER }
}

const NO_ANSWER = { result: 'not_possible', name: null, reason: 'unavailable' } as const

/** A bill whose payment is asked for. */
export type AskedToPay = {
  readonly bill: LockedBill
  readonly fields: BillFields
  /** Delegates that created, changed or asked to pay the bill. */
  readonly preparers: readonly Preparer[]
}

/** Contact to pay, and its destination; `waits` if the contact must be approved first. */
export type Payee = {
  readonly contactId: ContactId
  readonly destinationId: DestinationId | null
  readonly waits: boolean
  /** True for a contact that the request itself makes. */
  readonly isNew: boolean
  readonly tag: Tag | null
  /** The account under the name of the bill, if the contact has it under another. */
  readonly given: GivenName | null
}

/**
 * Chooses the contact to pay. It is the given one; else one with the account of the bill, preferably the one that it
 * waits for; else a new one of that account. A bill without an account is paid to the contact that it names.
 */
export async function choosePayee(
  tx: Tx,
  person: Person,
  { bill, fields, preparers }: AskedToPay,
  given: ContactId | undefined,
): Promise<Payee> {
  const found = await findPayee(within(tx), bill, fields, given)
  if (found) {
    const { contact_id: contactId, status, destination_id: destinationId, tag } = found
    return {
      contactId,
      destinationId,
      waits: !given && status === 'pending_approval',
      tag,
      given: found.given,
      isNew: false,
    }
  }
  if (given) refuse('not_found')
  const coordinates = requireCoordinates(fields)
  await requirePermissionLocked(tx, person, 'payment_contacts.create')
  const contactId = newId<'payment_contact'>()
  const wanted: NewPaymentContact = {
    name: fields.supplier_name ?? coordinates.account_holder_name,
    type: 'business',
    tag: 'vendor',
    payee_address: payeeAddressIn(fields),
    destinations: [{ ...coordinates, default: true }],
  }
  await createContact(tx, person, contactId, wanted, { preparers })
  const [made] = await tx<{ status: string }[]>`select status from payment_contacts where id = ${contactId}`
  return { contactId, destinationId: null, waits: made?.status !== 'active', tag: null, given: null, isNew: true }
}

/**
 * Selects the contact and destination to pay. An account under another name than the stored one is another payee: it
 * gets a contact of this payment alone, so that the bank is asked about, and told, the name of the bill.
 */
export async function payUnderName(
  tx: Tx,
  person: Person,
  { contactId, given }: Payee,
  destination: QuotedDestination,
) {
  if (!given) return { contactId, destination, known: null }
  const { coordinates, knownAs } = given
  const own = { contactId: newId<'payment_contact'>(), destinationId: newId<'payment_destination'>() }
  const { currency } = destination
  const name = coordinates['account_holder_name'] ?? ''
  await insertOneTimePayees(tx, person.userId, [
    { ...own, name, currency, payeeAddressId: null, svcId: null, coordinates },
  ])
  return {
    contactId: own.contactId,
    destination: { ...destination, id: own.destinationId },
    known: { destinationId: destination.id, holder: knownAs },
  }
}

/** Reads the account of a new contact. Refuses `bill_incomplete`, and then `invalid_bank_details`. */
function requireCoordinates(fields: BillFields): NonNullable<ReturnType<typeof coordinatesOf>> {
  const coordinates = coordinatesOf(fields)
  const faults = accountFaults(fields)
  const missing = [
    ...((fields.account_holder_name ?? fields.supplier_name) ? [] : ['supplier_name']),
    ...(namesAccount(fields) && coordinates
      ? faults.filter(({ code }) => code === 'required').map(({ field }) => field)
      : ['iban', 'bank_country_alpha2']),
  ]
  if (missing.length > 0 || !coordinates) refuse('bill_incomplete', { fields: [...new Set(missing)] })
  refuseFaults(errorsOf(faults, ''))
  return coordinates
}
