/** Warnings that an approver reads before they decide. */
import * as v from 'valibot'
import type { PayeeResult } from '../payee-checks/payee-check.ts'
import { open } from '../text.ts'

/**
 * `first_payment`: nothing was paid to this account yet; `new_country`: nor to any account of its country;
 * `account_changed`: the payee was last paid at another account; `duplicate`: the same amount went to this account, or
 * waits to, within 30 days; `unusual_amount`: more than three times the median of the last twelve to this payee.
 * `by_delegate`: a program or an agent asked for it, or prepared it, in the name of a person. `address_missing`: the
 * bank gets no address of the payee with town and country.
 * `payer_changed`: the organization pays under another verified name or address than its payments before.
 * `holder_differs`: the file or bill names another holder than the one under which a contact has the account.
 * `payee_no_match`, `payee_close_match`: the bank knows the account under another name, or a similar one.
 * `similar_name`: the name of a new payee, or of one that is paid at a new account, looks like that of another payee.
 * Of a batch: what is so in one of its rows. Of a payee who was paid: `account_changed` if another account is asked for.
 */
export const WARNINGS = [
  'first_payment',
  'new_country',
  'account_changed',
  'duplicate',
  'unusual_amount',
  'payee_no_match',
  'payee_close_match',
  'by_delegate',
  'address_missing',
  'similar_name',
  'holder_differs',
  'payer_changed',
] as const
export type Warning = (typeof WARNINGS)[number]

/** Warnings at which an approver has to stop and look, the gravest first, each as a sentence. */
export const STOPS = {
  payee_no_match: 'The bank knows the account under another name.',
  similar_name: 'The name looks like that of another payee.',
  account_changed: 'The payee was last paid at another account.',
  holder_differs: 'Another holder is named than the one under which the account is known.',
  payer_changed: 'The payer is named otherwise than in payments before.',
  unusual_amount: 'It is more than three times what this payee usually gets.',
  duplicate: 'The same amount went to this account within 30 days, or waits to.',
} as const satisfies Partial<Record<Warning, string>>
type Stop = keyof typeof STOPS
// the keys of a constant
export const STOP_NAMES = Object.keys(STOPS) as readonly Stop[]

/** Tells if an approver has to stop and look at this warning; the others are to be noted. */
export const isStop = (warning: string): boolean => STOP_NAMES.some((name) => name === warning)

/** Says at what an approver has to stop, the gravest first; null if at nothing. */
export function sayStops(warnings: readonly Warning[]): string | null {
  const said = STOP_NAMES.flatMap((name) => (warnings.includes(name) ? [STOPS[name]] : []))
  return said.length > 0 ? `Warning: ${said.join(' ')}` : null
}

/** Lists the warnings of what the bank says about payees. */
export const payeeWarnings = (results: readonly (PayeeResult | null)[]): Warning[] => [
  ...(results.includes('no_match') ? (['payee_no_match'] as const) : []),
  ...(results.includes('close_match') ? (['payee_close_match'] as const) : []),
]

export const Warnings = v.array(open(v.picklist(WARNINGS), 'A warning that came later: show its name.'))
