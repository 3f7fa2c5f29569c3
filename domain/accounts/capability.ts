/** Capabilities of an organization: in which money, by which rail, it can send, receive and exchange now. */
import * as v from 'valibot'
import { PARTNER_RAILS } from '../rails.ts'
import { describe, model } from '../text.ts'

export const CAPABILITY_REASONS = ['not_served', 'paused', 'onboarding_incomplete', 'partner_away'] as const

const Ability = model('Ability', {
  available: v.boolean(),
  reason: describe(
    v.nullable(v.picklist(CAPABILITY_REASONS)),
    'Why it is not available: no partner does it here, it or the organization is paused, it does not answer, or details of the organization are missing.',
  ),
})
export type Ability = v.InferOutput<typeof Ability>

export const Capability = model('Capability', {
  rail: v.picklist(PARTNER_RAILS),
  currency: v.string(),
  network: describe(v.nullable(v.string()), 'Network of a coin.'),
  send: describe(Ability, 'Payments in it.'),
  receive: describe(Ability, 'Accounts or addresses at which it arrives.'),
  exchange: describe(Ability, 'Exchange from and to this currency.'),
  instant: describe(Ability, 'Payments that arrive within seconds.'),
  payee_check: describe(Ability, 'Question to the bank whose account it is.'),
})
export type Capability = v.InferOutput<typeof Capability>

export const Capabilities = model('Capabilities', { data: v.array(Capability) })
