/** Payment contacts, which have destinations. */
import * as v from 'valibot'
import { id } from '../ids.ts'
import { ExternalEntries, ExternalFilters, NewExternalEntries } from '../external.ts'
import { CONTACT_STATUSES } from './flow.ts'
import { NewPayeeAddress, PayeeAddress } from '../destinations/payee-address.ts'
import { PageQuery, currencyFilter, flag } from '../pagination.ts'
import { DESTINATION_TYPES, Destination, MAX_DESTINATIONS, NewDestination } from '../destinations/destination.ts'
import { model, email, line, maybe, nullableText, text, timestamp, uuid, describe } from '../text.ts'

export const TAGS = ['vendor', 'own_account', 'employee', 'other'] as const

const CONTACT_TYPES = ['business', 'individual'] as const
/** Body of POST …/payment-contacts. At most one destination is marked as the default. */
export const NewPaymentContact = model('NewPaymentContact', {
  name: line(1, 255),
  type: v.picklist(CONTACT_TYPES),
  email: v.optional(v.nullable(email)),
  tag: v.optional(v.nullable(v.picklist(TAGS))),
  payee_address: maybe(NewPayeeAddress),
  ...NewExternalEntries,
  destinations: v.optional(
    v.pipe(
      v.array(NewDestination),
      v.maxLength(MAX_DESTINATIONS),
      v.check((list) => list.filter((destination) => destination.default).length <= 1, 'only one can be the default'),
    ),
    [],
  ),
  former_approval_id: describe(maybe(id<'approval'>()), 'Id of the request sent back that this one follows.'),
})
export type NewPaymentContact = v.InferOutput<typeof NewPaymentContact>

/** A contact as every operation answers it, with its destinations, the first made first. */
export const PaymentContact = model('PaymentContact', {
  id: uuid,
  organization_id: uuid,
  name: v.string(),
  type: v.picklist(CONTACT_TYPES),
  email: nullableText,
  tag: v.nullable(v.picklist(TAGS)),
  status: v.picklist(CONTACT_STATUSES),
  approval_request_id: v.nullable(uuid),
  becomes_name: nullableText,
  payee_address: v.nullable(PayeeAddress),
  destinations: v.array(Destination),
  one_time: describe(
    v.boolean(),
    'True if it was made for one payment of a batch or a bill: it is in no list, and stays as it is.',
  ),
  ...ExternalEntries,
  created_by: uuid,
  inserted_at: timestamp,
})
export type PaymentContact = v.InferOutput<typeof PaymentContact>

/** Contact as a body with which it is asked for again. What a body does not have is ignored in it. */
export const PaymentContactDraft = model('PaymentContactDraft', {
  name: v.string(),
  type: v.picklist(CONTACT_TYPES),
  email: nullableText,
  tag: v.nullable(v.picklist(TAGS)),
  payee_address: v.nullable(PayeeAddress),
  destinations: describe(v.array(Destination), 'Destinations with whole coordinates.'),
  former_approval_id: describe(v.nullable(uuid), 'Id of its request if that was sent back; else null.'),
})
export type PaymentContactDraft = v.InferOutput<typeof PaymentContactDraft>

/** Body of PATCH /payment-contacts/{id}: absent leaves, null clears. */
export const PaymentContactChange = model('PaymentContactChange', {
  name: v.optional(line(1, 255)),
  email: v.optional(v.nullable(email)),
  tag: v.optional(v.nullable(v.picklist(TAGS))),
  payee_address: maybe(NewPayeeAddress),
  ...NewExternalEntries,
})
export type PaymentContactChange = v.InferOutput<typeof PaymentContactChange>

/** Filters of a list of contacts; `destination_type` and `currency` are of one destination. */
export const PaymentContactFilters = v.object({
  ...PageQuery,
  q: v.optional(text(1, 255)),
  tag: v.optional(v.picklist(TAGS)),
  type: v.optional(v.picklist(CONTACT_TYPES)),
  status: v.optional(v.picklist(CONTACT_STATUSES)),
  destination_type: v.optional(v.picklist(DESTINATION_TYPES)),
  currency: v.optional(currencyFilter),
  incomplete: v.optional(flag),
  ...ExternalFilters,
})
export type PaymentContactFilters = v.InferOutput<typeof PaymentContactFilters>
