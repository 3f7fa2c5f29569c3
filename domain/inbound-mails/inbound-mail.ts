/** Mails that bring bills. All of their text is foreign. */
import * as v from 'valibot'
import { PageQuery } from '../pagination.ts'
import { describe, integer, model, nullableText, timestamp, uuid } from '../text.ts'
import { INBOUND_MAIL_STATUSES } from './flow.ts'

/** Size of a mail at most, and its recipients of ours. */
export const MAIL_BYTES_MAX = 25 * 1024 * 1024
export const RECIPIENTS_MAX = 10

/**
 * Outcomes of a file: a bill of its own, one that is known already, a picture of a bill whose XML is beside it, no bill,
 * or one file too many or too large.
 */
export const FILE_OUTCOMES = ['bill', 'known_bill', 'beside_xml', 'no_bill', 'too_large', 'too_many'] as const
export type FileOutcome = (typeof FILE_OUTCOMES)[number]

/** Reasons why a mail has no bill. */
export const WITHOUT_BILL = ['no_file', 'no_bill_in_files', 'unreadable'] as const
export type WithoutBill = (typeof WITHOUT_BILL)[number]

/** Results of DKIM, DMARC and SPF (RFC 8601, 2.7); any other word of a gateway is `other`. */
export const CHECK_RESULTS = [
  'pass',
  'fail',
  'softfail',
  'neutral',
  'none',
  'policy',
  'temperror',
  'permerror',
] as const
export type CheckResult = (typeof CHECK_RESULTS)[number] | 'other'

/** Verdicts about a sender: proved by the gateway, failed, or not checked. */
export const VERDICTS = ['pass', 'fail', 'none'] as const

export const REMEMBERED = ['once', 'always'] as const
export type Memory = (typeof REMEMBERED)[number]

const result = v.nullable(v.picklist([...CHECK_RESULTS, 'other']))

export const Authentication = model('InboundMailAuthentication', {
  verdict: describe(
    v.picklist(VERDICTS),
    '`pass`: the gateway has proved the domain of the sender; `fail`: it disproved it; `none`: nothing is known.',
  ),
  dmarc: describe(result, 'Result of DMARC, of the gateway alone; null without one.'),
  dkim: describe(result, 'Best result of DKIM that is of the domain of the sender.'),
  spf: describe(result, 'Result of SPF.'),
})
export type Authentication = v.InferInput<typeof Authentication>

const File = model('InboundMailFile', {
  id: uuid,
  filename: v.string(),
  content_type: v.string(),
  byte_size: integer,
  sha256: v.string(),
  outcome: describe(v.picklist(FILE_OUTCOMES), 'Outcome of the file.'),
  bill_id: describe(v.nullable(uuid), 'Bill that it became, is known as, or is beside of.'),
})

const entries = {
  id: uuid,
  organization_id: uuid,
  bill_mailbox_id: describe(uuid, 'Id of the address that it came to.'),
  status: v.picklist(INBOUND_MAIL_STATUSES),
  from_address: describe(
    nullableText,
    'Address of the sender, as the mail says; null until it is read, or without one.',
  ),
  from_name: describe(nullableText, 'Name of the sender, as the mail says.'),
  subject_line: describe(nullableText, 'Subject, as the mail says.'),
  received_at: describe(timestamp, 'Instant at which it was stored.'),
  byte_size: integer,
  authentication: describe(
    v.nullable(Authentication),
    'Findings of the gateway about the sender; null until it is read.',
  ),
  sender_is_known: describe(v.boolean(), 'True if a person accepted this sender for always before.'),
  without_bill: describe(v.nullable(v.picklist(WITHOUT_BILL)), 'Reason why it has no bill.'),
  duplicate_of: describe(v.nullable(uuid), 'Mail that came before and is the same.'),
  decided_by_id: describe(v.nullable(uuid), 'Person who accepted or refused it, or accepted its sender for always.'),
  files: describe(v.array(File), 'Its files, in their order.'),
  updated_at: timestamp,
}
export const InboundMail = model('InboundMail', entries)
export type InboundMail = v.InferInput<typeof InboundMail>

export const InboundMailFilters = v.object({
  ...PageQuery,
  status: v.optional(v.picklist(INBOUND_MAIL_STATUSES)),
})
export type InboundMailFilters = v.InferOutput<typeof InboundMailFilters>

export const MailAcceptance = model('InboundMailAcceptance', {
  remember: describe(
    v.picklist(REMEMBERED),
    '`always`: later mails of this address are taken at once, if the gateway proves its domain.',
  ),
})
