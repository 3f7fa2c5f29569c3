import * as v from 'valibot'
import { BILL_STATUSES } from './flow.ts'
import { newUpload } from '../files/file.ts'
import { id } from '../ids.ts'
import { HistoryEvent } from '../event.ts'
import { BankCurrency } from '../destinations/bank-requirements.ts'
import { AddressCountry, AddressLine } from '../destinations/payee-address.ts'
import { Money } from '../money/money.ts'
import { PageQuery, currencyFilter, day, flag } from '../pagination.ts'
import { ScheduleEntries } from '../payments/schedule.ts'
import { model, integer, line, maybe, nullableText, open, text, timestamp, uuid } from '../text.ts'
import { BANK_DETAILS, type BankDetail, BILL_FIELDS, type BillField } from './fields.ts'
import { LineItem } from './line-item.ts'
import { DOUBT_CODES, NOT_PAYABLE, TYPED_NOT_PAYABLE } from './reader.ts'

const FILE_BYTES_MAX = 10 * 1024 * 1024
export const BILL_TYPES = ['application/pdf', 'image/png', 'image/jpeg', 'application/xml', 'text/xml'] as const

export const NewBillFile = newUpload('NewBillFile', BILL_TYPES, FILE_BYTES_MAX)

const detail = maybe(line(1, 64))

const typed = {
  amount: maybe(Money.entries.amount),
  currency: maybe(BankCurrency),
  bill_number: maybe(line(1, 255)),
  supplier_name: maybe(line(1, 255)),
  supplier_tax_id: maybe(line(1, 64)),
  payment_reference: maybe(line(1, 140)),
  issue_date: maybe(day),
  due_date: maybe(day),
  ...(Object.fromEntries(BANK_DETAILS.map((name) => [name, detail])) as Record<BankDetail, typeof detail>),
  account_holder_name: maybe(line(1, 255)),
  address_street: maybe(AddressLine),
  address_building_number: maybe(AddressLine),
  address_postal_code: maybe(AddressLine),
  address_town: maybe(AddressLine),
  address_country: maybe(AddressCountry),
  not_payable: maybe(v.picklist(TYPED_NOT_PAYABLE)),
}

/** Body of PATCH /bills/{bill_id}: an absent member stays, null empties. */
export const BillChange = model('BillChange', typed)
export type BillChange = v.InferOutput<typeof BillChange>

export const NewBill = v.pipe(
  v.object({ file_id: v.optional(id<'file'>()), ...typed }),
  v.check(
    ({ file_id: file, ...fields }) => file !== undefined || Object.values(fields).some((value) => value != null),
    'names_nothing',
  ),
  v.title('NewBill'),
)
export type NewBill = v.InferOutput<typeof NewBill>

export const BillFilters = v.object({
  ...PageQuery,
  status: v.optional(v.picklist(BILL_STATUSES)),
  supplier: v.optional(text(1, 255)),
  currency: v.optional(currencyFilter),
  due_from: v.optional(day),
  due_to: v.optional(day),
  overdue: v.optional(flag),
  approval_request_id: v.optional(uuid),
  q: v.optional(text(1, 255)),
})
export type BillFilters = v.InferOutput<typeof BillFilters>

export const PaymentRequest = model('BillPaymentRequest', {
  payment_contact_id: v.optional(id<'payment_contact'>()),
  payout_reason: maybe(line(1, 255)),
  statement_description: maybe(line(1, 140)),
  acknowledge_duplicate: v.optional(v.boolean(), false),
  acknowledge_bank_details: v.optional(v.boolean(), false),
  ...ScheduleEntries,
  on_due_date: v.optional(v.boolean(), false),
  acknowledge_payee_check: v.optional(v.boolean(), false),
})
export type PaymentRequest = v.InferOutput<typeof PaymentRequest>

const fields = Object.fromEntries(BILL_FIELDS.map((name) => [name, nullableText])) as Record<
  BillField,
  typeof nullableText
>

const field = open(v.picklist(BILL_FIELDS), 'A field that came later: show its name.')

export const Bill = model('Bill', {
  id: uuid,
  organization_id: uuid,
  created_by_id: uuid,
  status: v.picklist(BILL_STATUSES),
  ...fields,
  tax_total: v.pipe(
    nullableText,
    v.description(
      'All tax in the amount, as the file states it, with `-` on a credit note; null if it is unknown or the sums are wrong.',
    ),
  ),
  not_payable: v.nullable(v.picklist(NOT_PAYABLE)),
  doubts: v.array(
    model('BillDoubt', {
      code: v.picklist(DOUBT_CODES),
      fields: v.array(field),
      message: v.string(),
    }),
  ),
  bank_details_differ: v.boolean(),
  account_is_partial: v.boolean(),
  account_is_paid: v.nullable(v.boolean()),
  holder_differs: v.boolean(),
  approval_request_id: v.nullable(uuid),
  fiat_outgoing_id: v.nullable(uuid),
  file_id: v.nullable(uuid),
  payment_contact_id: v.nullable(uuid),
  waits_for: v.nullable(model('BillWait', { approval_request_id: uuid })),
  extraction_failed_at: v.nullable(timestamp),
  extraction_error: nullableText,
  inserted_at: timestamp,
  updated_at: timestamp,
})
export type Bill = v.InferOutput<typeof Bill>

/** Reasons why two bills count as one. */
export const DUPLICATE_REASONS = ['same_file', 'same_number', 'same_amount_and_date'] as const
export const Duplicate = model('BillDuplicate', { bill_id: uuid, reason: v.picklist(DUPLICATE_REASONS) })
export type Duplicate = v.InferOutput<typeof Duplicate>

/** Answer of GET /bills/{bill_id}: bill, history (oldest first), possible duplicates, lines. */
export const BillDetail = model('BillDetail', {
  bill: Bill,
  events: v.array(HistoryEvent),
  duplicates: v.array(Duplicate),
  known_holder: nullableText,
  line_items: v.pipe(
    v.array(LineItem),
    v.description(
      'What is charged for, as XML states it and its sums confirm; empty if that is unknown, or for over 1,000 lines.',
    ),
  ),
})
export type BillDetail = v.InferOutput<typeof BillDetail>

export const Provenance = model('BillProvenance', {
  data: v.array(
    model('BillFieldProvenance', {
      field,
      value: v.string(),
      method: v.string(),
      page: v.nullable(integer),
      box: v.nullable(v.pipe(v.array(v.number()), v.length(4))),
      text: nullableText,
      confidence: v.nullable(v.number()),
      event_id: uuid,
    }),
  ),
})
export type Provenance = v.InferOutput<typeof Provenance>

export const BillFile = model('BillFile', {
  id: uuid,
  filename: v.string(),
  content_type: v.string(),
  byte_size: integer,
  download_url: v.string(),
  expires_at: timestamp,
})
export type BillFile = v.InferOutput<typeof BillFile>

/** Page number in a path, from 1; 0 for anything else, as there is no such page. */
export const pageNumber = v.pipe(
  v.string(),
  v.metadata({ jsonSchema: { type: 'integer', minimum: 1 } }),
  v.transform((text) => Number(/^([1-9]\d{0,3})\.png$/.exec(text)?.[1] ?? 0)),
)

/** Query of GET /bills/{bill_id}/pages/{n}.png: `mark` draws the boxes of the provenance. */
export const BillPageQuery = v.object({ mark: v.optional(flag) })
