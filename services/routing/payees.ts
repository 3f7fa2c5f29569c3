/** Facts of payments that conditions of rules compare; read only where a rule has conditions. */
import type { BillId, ContactId, DestinationId, OrganizationId } from '../../domain/ids.ts'
import type { Rule } from '../../domain/approvals/policy.ts'
import {
  type RequestFacts,
  type RequestOrigin,
  areRouted,
  compareCoding,
  compareMail,
} from '../../domain/approvals/routing.ts'
import type { Labels } from '../../domain/coding/label.ts'
import { refuse } from '../../domain/errors.ts'
import type { DestinationType } from '../../domain/destinations/destination.ts'
import { type EncryptedCoordinates, defaultOf, openCoordinatesForDisplay } from '../contacts/destinations.ts'
import { type ComparedCoding, readComparedCoding } from '../coding/bill-lines.ts'
import { type Fragment, type Reader, first, sql } from '../../db/postgres/sql.ts'

type Paying = {
  readonly rules: readonly Rule[]
  readonly origins: readonly RequestOrigin[]
  readonly contactId: ContactId | null
  /** Destination that is paid; null for the default one of the contact. */
  readonly destinationId: DestinationId | null
  readonly labels: Labels
  /** Bill that is paid, whose coding is compared. */
  readonly billId: BillId | null
}

/** Account as its country is read. */
export type PaidAccount = EncryptedCoordinates & { readonly type: DestinationType }

/** Selects a destination `d` as a PaidAccount. */
export const selectAccount = (d: Fragment): Fragment => sql`
  json_build_object('id', ${d}.id, 'type', ${d}.type, 'sealed', encode(${d}.sealed, 'hex'))`

/** Reads the country of an account; null for a service ID and a wallet. */
export const countryOf = (account: PaidAccount): string | null =>
  openCoordinatesForDisplay(account, account.type)?.country_code ?? null

/** Selects the condition that a payment was sent, and did not come back. */
export const wasSent = (payment: Fragment): Fragment => sql`
  ${payment}.status not in ('awaiting_approval', 'scheduled', 'cancelled', 'failed', 'reversed')`

/** Tells whether the organization paid an account before an instant: it was sent, and did not come back since. */
export const isPaidBefore = (organizationId: OrganizationId, account: Fragment, instant: Fragment): Fragment => sql`
  exists (select from payment_destinations e join payments o on o.destination_id = e.id
    where e.organization_id = ${organizationId} and e.account_id = ${account} and o.inserted_at < ${instant}
      and ${wasSent(sql`o`)})`

/** Facts of a payment, with the lines of its bill that have no account; none where no rule compares coding. */
export type PaymentFacts = RequestFacts & { readonly uncoded: readonly number[] }

/** Reads the facts of a payment; nothing of payee and bill where no rule compares them. Refuses `not_found`. */
export async function factsOfPayment(reader: Reader, paying: Paying): Promise<PaymentFacts> {
  const { rules, contactId, billId, labels } = paying
  const origins = await withMail(reader, rules, paying.origins, billId === null ? [] : [billId])
  const coding = billId && compareCoding(rules) ? await readComparedCoding(reader, billId) : NO_CODING
  const { uncoded } = coding
  if (!areRouted(rules)) return { origins, payees: [], uncoded }
  const account = await findAccount(reader, paying)
  if (!account && billId === null && labels.length === 0) return { origins, payees: [], uncoded }
  const ofAccount = { country: account ? countryOf(account) : null, is_new: account ? !account.paid : null }
  const ofCoding = { labels: [...labels, ...coding.labels], account_codes: coding.account_codes }
  return { origins, payees: [{ contact_id: contactId, ...ofAccount, ...ofCoding }], uncoded }
}

const NO_CODING: ComparedCoding = { labels: [], account_codes: [], uncoded: [] }

/** Adds `mail` to the ways of a request if a rule compares that, and a bill came by mail. */
export async function withMail(
  reader: Reader,
  rules: readonly Rule[],
  origins: readonly RequestOrigin[],
  billIds: readonly string[],
): Promise<readonly RequestOrigin[]> {
  if (billIds.length === 0 || !compareMail(rules)) return origins
  const mailed = await first(
    reader(sql`
      select id from bills where id = any (${[...billIds]}::uuid[]) and organization_id = ${reader.organizationId}
        and inbound_mail_id is not null limit 1`),
  )
  return mailed ? [...new Set([...origins, 'mail' as const])] : origins
}

async function findAccount(reader: Reader, { contactId, destinationId }: Paying) {
  if (contactId === null && destinationId === null) return undefined
  return first(
    reader<PaidAccount & { readonly paid: boolean }>(sql`
      select d.id, d.type, encode(d.sealed, 'hex') as sealed,
        ${isPaidBefore(reader.organizationId, sql`d.account_id`, sql`business_now()`)} as paid
      from payment_destinations d
      where d.organization_id = ${reader.organizationId}
        and d.id = coalesce(${destinationId}::uuid, ${defaultOf(sql`${contactId}::uuid`)})`),
  )
}

/** Refuses `coding_required` for lines of a bill without what the rule requires. */
export function requireCoded({ require = [] }: Rule, { uncoded }: PaymentFacts, billId: BillId | null): void {
  if (require.length === 0 || uncoded.length === 0) return
  refuse('coding_required', { bill_id: billId, lines: uncoded, fields: require })
}
