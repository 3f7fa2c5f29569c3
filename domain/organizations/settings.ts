/** Settings that an owner decides for all members of an organization. */
import * as v from 'valibot'
import { distinct } from '../distinct.ts'
import { NewPostalAddress, PostalAddress, VatId } from '../party.ts'
import { Money } from '../money/money.ts'
import { AnswerMoney, model, integer, line, maybe, nullableText, timestamp, describe } from '../text.ts'
import { TimeZone } from './time-zone.ts'
import { PAYEE_CHECK_MODES } from '../payee-checks/payee-check.ts'

/** Characters of a payment reference (EPC, SEPA) that payers do not confuse. */
const PREFIX = /^[A-Z0-9./-]{0,10}$/
const Prefix = v.pipe(v.string(), v.regex(PREFIX, 'must be at most 10 of A-Z, 0-9, dot, slash and hyphen'))
const REMINDERS_MAX = 10
/** From a month before an invoice is due to three months after that. */
const [FIRST_REMINDER_DAY, LAST_REMINDER_DAY] = [-30, 90]

/** A week. */
const ACCOUNT_CHANGE_HOURS_MAX = 168

/** Days after the due date, negative ones before it; each once, the earliest first. */
const ReminderDays = v.pipe(
  v.array(v.pipe(v.number(), v.integer(), v.minValue(FIRST_REMINDER_DAY), v.maxValue(LAST_REMINDER_DAY))),
  v.maxLength(REMINDERS_MAX),
  distinct(String),
  v.metadata({
    jsonSchema: {
      type: 'array',
      maxItems: REMINDERS_MAX,
      uniqueItems: true,
      items: { type: 'integer', minimum: FIRST_REMINDER_DAY, maximum: LAST_REMINDER_DAY },
    },
  }),
  v.transform((days) => days.toSorted((one, other) => one - other)),
)

/** Required authenticators are set up at sign-in. Days begin in the time zone. The other settings are of invoices. */
export const OrganizationSettings = model('OrganizationSettings', {
  requires_authenticator: v.boolean(),
  invoice_prefix: v.string(),
  credit_note_prefix: v.string(),
  invoice_reminder_days: v.array(integer),
  postal_address: v.nullable(PostalAddress),
  vat_id: nullableText,
  contact_name: nullableText,
  contact_phone: nullableText,
  time_zone: v.string(),
  time_zone_from: describe(
    v.nullable(timestamp),
    'Instant from which the time zone counts: the midnight after it was set, in the zone before. Null: always.',
  ),
  account_change_hours: integer,
  account_change_free_amount: v.nullable(AnswerMoney),
  payee_check: describe(
    v.picklist(PAYEE_CHECK_MODES),
    '`warn`: an account of another name is paid if people acknowledge it; `block`: it is never paid.',
  ),
})
export type OrganizationSettings = v.InferOutput<typeof OrganizationSettings>

export const OrganizationSettingsChanges = model('OrganizationSettingsChanges', {
  requires_authenticator: v.optional(v.boolean()),
  invoice_prefix: v.optional(Prefix),
  credit_note_prefix: v.optional(Prefix),
  invoice_reminder_days: v.optional(ReminderDays),
  postal_address: maybe(NewPostalAddress),
  vat_id: maybe(VatId),
  contact_name: maybe(line(1, 255)),
  contact_phone: maybe(line(1, 64)),
  time_zone: v.optional(TimeZone),
  account_change_hours: v.optional(v.pipe(integer, v.minValue(0), v.maxValue(ACCOUNT_CHANGE_HOURS_MAX))),
  account_change_free_amount: maybe(Money),
  payee_check: describe(
    v.optional(v.picklist(PAYEE_CHECK_MODES)),
    '`warn`: an account of another name is paid if people acknowledge it; `block`: it is never paid.',
  ),
})
export type OrganizationSettingsChanges = v.InferOutput<typeof OrganizationSettingsChanges>
