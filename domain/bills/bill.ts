import * as v from 'valibot'
import { BILL_STATUSES } from './flow.ts'
import { DOCUMENT_BYTES_MAX, DOCUMENT_TYPES, newUpload } from '../files/file.ts'
import { id } from '../ids.ts'
import { type ExternalChange, ExternalEntries, ExternalFilters, NewExternalEntries } from '../external.ts'
import { HistoryEvent } from '../event.ts'
import { BankCurrency } from '../destinations/bank-requirements.ts'
import { AddressCountry, AddressLine } from '../destinations/payee-address.ts'
import { Money } from '../money/money.ts'
import { PageQuery, currencyFilter, day, flag, pageOf } from '../pagination.ts'
import { ScheduleEntries } from '../payments/schedule.ts'
import {
  AnswerMoney,
  model,
  integer,
  line,
  maybe,
  nullableText,
  open,
  text,
  timestamp,
  uuid,
  describe,
} from '../text.ts'
import { BANK_DETAILS, type BankDetail, BILL_FIELDS, type BillField } from './fields.ts'
import { LineItem } from './line-item.ts'
import { DOUBT_CODES, NOT_PAYABLE, TYPED_NOT_PAYABLE } from './reader.ts'

export const NewBillFile = newUpload('NewBillFile', DOCUMENT_TYPES, DOCUMENT_BYTES_MAX)

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
export const BillChange = model('BillChange', { ...typed, ...NewExternalEntries })
export type BillChange = Omit<v.InferOutput<typeof BillChange>, keyof ExternalChange>

export const NewBill = v.pipe(
  v.object({ file_id: v.optional(id<'file'>()), ...typed, ...NewExternalEntries }),
  v.check(
    ({ file_id: file, external_id: _id, metadata: _metadata, ...fields }) =>
      file !== undefined || Object.values(fields).some((value) => value != null),
    'names_nothing',
  ),
  v.title('NewBill'),
)
export type NewBill = v.InferOutput<typeof NewBill>

export const BILL_ORDERS = ['newest', 'due'] as const

export const BillFilters = v.object({
  ...PageQuery,
  status: v.optional(v.picklist(BILL_STATUSES)),
  supplier: v.optional(text(1, 255)),
  currency: v.optional(currencyFilter),
  due_from: v.optional(day),
  due_to: v.optional(day),
  due_before: v.optional(day),
  payable: v.optional(flag),
  credits: v.optional(flag),
  overdue: v.optional(flag),
  open: v.optional(flag),
  coded: v.optional(flag),
  order: describe(v.optional(v.picklist(BILL_ORDERS)), '`due`: earliest due date first, those without one last.'),
  approval_request_id: v.optional(uuid),
  ...ExternalFilters,
  q: v.optional(text(1, 255)),
})
export type BillFilters = v.InferOutput<typeof BillFilters>

export const PaymentRequest = model('BillPaymentRequest', {
  payment_contact_id: v.optional(id<'payment_contact'>()),
  payout_reason: maybe(line(1, 255)),
  statement_description: maybe(line(1, 140)),
  acknowledge_duplicate: describe(v.optional(v.boolean(), false), 'True to pay although another bill looks the same.'),
  acknowledge_bank_details: describe(
    v.optional(v.boolean(), false),
    'True to pay although the bank details differ from before.',
  ),
  acknowledge_missing_number: describe(
    v.optional(v.boolean(), false),
    'True to pay although no number was read in the file of the bill, or typed: it may be no bill.',
  ),
  ...ScheduleEntries,
  on_due_date: describe(
    v.optional(v.boolean(), false),
    'True to pay on the due date of the bill; one that is today or past is paid at once.',
  ),
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
  created_by_id: describe(v.nullable(uuid), 'Person who added it; null for one that came by mail.'),
  inbound_mail_id: describe(v.nullable(uuid), 'Mail that brought it.'),
  sender_is_unknown: describe(
    v.boolean(),
    'True while no person has accepted the sender of its mail: it is read, and not paid.',
  ),
  status: v.picklist(BILL_STATUSES),
  ...fields,
  tax_total: v.pipe(
    nullableText,
    v.description(
      'All tax in the amount, as the file states it, with `-` on a credit note; null if it is unknown or the sums are wrong.',
    ),
  ),
  not_payable: v.nullable(v.picklist(NOT_PAYABLE)),
  doubts: describe(
    v.array(
      model('BillDoubt', {
        code: describe(v.picklist(DOUBT_CODES), 'Kind of doubt.'),
        fields: describe(v.array(field), 'Fields that it concerns.'),
        message: v.string(),
      }),
    ),
    'Fields that reading left empty or doubts; typing settles them.',
  ),
  bank_details_differ: describe(
    v.boolean(),
    'True if the bank details differ from earlier bills of the supplier, or from its contact, or name an account in part.',
  ),
  account_is_partial: describe(
    v.boolean(),
    'True if an account is named in part or wrongly: nothing compares it, and a second person approves.',
  ),
  account_is_paid: describe(
    v.nullable(v.boolean()),
    'True if its payment goes to its account, in any currency; null without either.',
  ),
  holder_differs: describe(
    v.boolean(),
    'True if a contact has the account of the bill under another name than the bill gives.',
  ),
  approval_request_id: v.nullable(uuid),
  fiat_outgoing_id: describe(v.nullable(uuid), 'Id of the payment.'),
  payment_batch_id: describe(
    v.nullable(uuid),
    'Id of the batch whose row pays the bill, or that the credit note is set against bills of; null for none.',
  ),
  file_id: v.nullable(uuid),
  payment_contact_id: v.nullable(uuid),
  waits_for: describe(
    v.nullable(model('BillWait', { approval_request_id: describe(uuid, 'Id of the approval to wait for.') })),
    'Approval of the contact, without which the bill is not paid.',
  ),
  extraction_failed_at: describe(v.nullable(timestamp), 'Instant when reading failed.'),
  extraction_error: describe(nullableText, 'Reason why reading failed.'),
  ...ExternalEntries,
  inserted_at: timestamp,
  updated_at: timestamp,
})
export type Bill = v.InferOutput<typeof Bill>

/** Answer of GET /organizations/{organization_id}/bills. */
export const BillPage = model('BillPage', {
  ...pageOf(Bill).entries,
  sums: describe(
    v.array(
      model('BillCurrencySum', {
        amount: describe(AnswerMoney, 'Sum of the amounts; of credit notes with `-`.'),
        count: describe(integer, 'Number of bills.'),
      }),
    ),
    'Sums of all that the filters find, on whatever page, by currency; empty without `payable` and `credits`.',
  ),
})
export type BillPage = v.InferOutput<typeof BillPage>

/** Days from today on that count as this week. */
export const WEEK_DAYS = 7
/** Times at which bills are due, soonest first. */
export const DUE_TIMES = ['overdue', 'week', 'later', 'unknown'] as const

/** Answer of GET /organizations/{organization_id}/bills/sums. */
export const BillSums = model('BillSums', {
  today: describe(day, 'Day before which bills are overdue, in UTC.'),
  reading: describe(integer, 'Number of bills that are being read.'),
  data: describe(
    v.array(
      model('BillSum', {
        due: describe(
          v.picklist(DUE_TIMES),
          `\`week\`: today and the ${WEEK_DAYS - 1} days after; \`unknown\`: no date.`,
        ),
        count: describe(integer, 'Number of bills.'),
        totals: describe(v.array(AnswerMoney), 'Sums of their amounts, by currency.'),
      }),
    ),
    'Each time, soonest first.',
  ),
})
export type BillSums = v.InferOutput<typeof BillSums>

/** Reasons why two bills count as one. */
export const DUPLICATE_REASONS = ['same_file', 'same_number', 'same_amount_and_date'] as const
export const Duplicate = model('BillDuplicate', {
  bill_id: uuid,
  reason: describe(v.picklist(DUPLICATE_REASONS), 'Reason why they count as one.'),
})
export type Duplicate = v.InferOutput<typeof Duplicate>

/** Answer of GET /bills/{bill_id}: bill, history (oldest first), possible duplicates, lines. */
export const BillDetail = model('BillDetail', {
  bill: describe(Bill, 'Bill.'),
  events: describe(v.array(HistoryEvent), 'History of the bill, oldest first.'),
  duplicates: describe(v.array(Duplicate), 'Bills that may be the same.'),
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
      field: describe(field, 'Field.'),
      value: describe(v.string(), 'Value that was read.'),
      method: describe(v.string(), 'Way in which it was read.'),
      page: v.nullable(integer),
      box: describe(
        v.nullable(v.pipe(v.array(v.number()), v.length(4))),
        'Left, top, width and height in points, from the top left of the page.',
      ),
      text: describe(nullableText, 'Text on the page that it was read from.'),
      confidence: describe(v.nullable(v.number()), 'How sure the reading is, from 0 to 1.'),
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
