/** What a payment is made of: the terms of a quote, or those of a payment by service ID, which needs none. */
import { payeeOf } from '../contacts/contacts.ts'
import { inOrder } from '../in-order.ts'
import { refuse, refuseFirst } from '../../domain/errors.ts'
import { payeeInWords } from '../../domain/contacts/destination.ts'
import { isGone } from '../../domain/flows/undriven/organization.ts'
import type { PaymentId, QuoteId, UserId } from '../../domain/ids.ts'
import { type Money, canonicalMoney } from '../../domain/money/money.ts'
import { type ContactOrder, type QuoteOrder, SVC_ID_CURRENCY } from '../../domain/payments/payment.ts'
import { type Reader, first, sql } from '../sql.ts'
import {
  type RequesterStanding,
  contactBlockers,
  quoteBlockers,
  requesterBlockers,
  requesterColumns,
} from './checks.ts'
import { type StoredQuote, checkUsable, findQuote } from './quotes.ts'

/** What is paid to whom, and what it costs. */
export type Terms = Pick<
  StoredQuote,
  | 'contact_id'
  | 'contact_name'
  | 'destination_id'
  | 'payee'
  | 'payee_organization_id'
  | 'rail'
  | 'deducting'
  | 'landing'
  | 'fee'
  | 'rate'
  | 'tag'
> & { readonly quote_id: QuoteId | null; readonly fingerprint: string | null }

/**
 * The terms of a quote, which nobody else uses until the transaction ends. Refuses `not_found`, `quote_already_used`,
 * `quote_expired`, and then the first of what stands against it.
 */
export async function quotedTerms(
  reader: Reader,
  id: PaymentId,
  requesterId: UserId,
  { quote_id: quoteId, market, tag }: QuoteOrder,
): Promise<Terms> {
  const [quote, blockers] = await inOrder(
    // first: what follows sees who used it before us
    async () => {
      const found = await findQuote(reader, quoteId, { userId: requesterId, lock: true })
      checkUsable(found, id)
      return found
    },
    () => quoteBlockers(reader, { quoteId, userId: requesterId, market }),
  )
  refuseFirst(blockers)
  return { ...quote, quote_id: quoteId, tag: tag === undefined ? (quote.tag ?? quote.contact_tag) : tag }
}

/**
 * The terms of a payment by service ID to a contact's default destination. Refuses what stands against the requester,
 * then `not_found`, `destination_missing`, `unsupported_rail`, what is wrong with the amount (`unsupported_currency`,
 * `amount_precision`, `amount_too_large`), `contact_not_approved` and `same_account`.
 */
export async function contactTerms(
  reader: Reader,
  requesterId: UserId,
  { payment_contact_id: contactId, amount }: ContactOrder,
): Promise<Terms> {
  const [, { payee, money }] = await inOrder(
    () => checkRequester(reader, requesterId),
    () => payableContact(reader, contactId, amount),
  )
  return {
    quote_id: null,
    contact_id: contactId,
    contact_name: payee.name,
    destination_id: payee.destination_id,
    payee: payeeInWords(payee.svc_id, null),
    fingerprint: null,
    payee_organization_id: payee.payee_organization_id,
    rail: 'svc_id',
    deducting: money,
    landing: money,
    fee: { amount: '0', currency: money.currency },
    rate: null,
    tag: payee.tag,
  }
}

/** Since the request was let in it may have waited: who asked must still be somebody who may. */
async function checkRequester(reader: Reader, userId: UserId): Promise<void> {
  const requester = await first(
    reader<RequesterStanding>(sql`
      select ${requesterColumns()} from members m join organizations o on o.id = m.organization_id
      where m.organization_id = ${reader.organizationId} and m.user_id = ${userId}`),
  )
  if (!requester || isGone(requester.organization_status)) refuse('not_found')
  refuseFirst(requesterBlockers(requester, 'svc_id'))
}

async function payableContact(reader: Reader, contactId: string, amount: Money) {
  const payee = await payeeOf(reader, contactId)
  const { type, payee_organization_id: payeeId } = payee
  if (type !== 'svc_id' || !payeeId) refuse('unsupported_rail', { rail: type })
  const { currency } = amount
  if (currency !== SVC_ID_CURRENCY) refuse('unsupported_currency', { currency, supported: [SVC_ID_CURRENCY] })
  const money = canonicalMoney(amount)
  refuseFirst(contactBlockers(payee.contact_status))
  if (payeeId === reader.organizationId) refuse('same_account')
  return { payee, money }
}
