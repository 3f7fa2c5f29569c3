/** Payers: who pays, as orders to partners name it. */
import * as v from 'valibot'
import type { OnboardingStanding } from '../onboarding/review.ts'
import { PostalAddress, addressLine } from '../party.ts'
import { model } from '../text.ts'
import { findUntransliterable, transliterate } from '../transliterate.ts'

/** Payer as approvers see it. */
export const Payer = model('Payer', { name: v.string(), address: PostalAddress })
export type Payer = v.InferOutput<typeof Payer>

/** Details of an organization that its orders name. */
export type NamedOrganization = { readonly name: string; readonly postal_address: PostalAddress | null }

/** An organization that pays: as it names itself, and as it was verified where that is asked for. */
export type PayingOrganization = NamedOrganization & {
  /** Absent where nothing is asked for; null before it is begun. */
  readonly onboarding?: (OnboardingStanding & { readonly verified: NamedOrganization | null }) | null
}

/** Chooses the details that orders name: those that were verified, once there are such. */
export const nameOrganization = ({ onboarding, ...named }: PayingOrganization): NamedOrganization =>
  onboarding?.verified ?? named

/** Head of a document: the name of an organization, and its address in lines. */
type DocumentHead = { readonly name: string; readonly address: string | null }

/** Names an organization in a document as it was verified; in its own words where it was not. */
export const nameInDocument = (own: DocumentHead, verified: NamedOrganization | null): DocumentHead =>
  verified
    ? { name: verified.name, address: verified.postal_address && addressLine(verified.postal_address, '\n') }
    : own

/** Payer in the letters of banks, without empty members, as an order names it. */
export type SentPayer = {
  readonly name: string
  readonly address: {
    readonly line1: string
    readonly line2?: string
    readonly postal_code: string
    readonly town: string
    readonly country_code: string
  }
}

export const PAYER_FIELDS = ['name', 'postal_address'] as const
export type PayerField = (typeof PAYER_FIELDS)[number]

/** Tells whether banks have letters for a text, and something of it is left in them. */
const isWritable = (text: string): boolean =>
  findUntransliterable(text) === undefined && /[a-z0-9]/i.test(transliterate(text))

/** Lists the fields that an order lacks: they are empty, or not in letters of banks. */
export function findMissing({ name, postal_address: address }: NamedOrganization): PayerField[] {
  const isComplete = address !== null && [address.line1, address.postal_code, address.city].every(isWritable)
  return [...(isWritable(name) ? [] : (['name'] as const)), ...(isComplete ? [] : (['postal_address'] as const))]
}

/** Writes a payer in the letters of banks. */
export function toSent({ name, address }: Payer): SentPayer {
  const { line1, line2, postal_code, city, country_code } = address
  const second = line2 !== null && isWritable(line2) ? { line2: transliterate(line2) } : {}
  const lines = { line1: transliterate(line1), ...second }
  const place = { postal_code: transliterate(postal_code), town: transliterate(city), country_code }
  return { name: transliterate(name), address: { ...lines, ...place } }
}
