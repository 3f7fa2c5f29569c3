/** Addresses at which an organization takes bills by mail. */
import * as v from 'valibot'
import { describe, line, model, timestamp, uuid } from '../text.ts'
import { PageQuery } from '../pagination.ts'

/** Addresses that an organization may have at a time. */
export const MAILBOXES_MAX = 20
const PREFIX = 'bills+'
/** 128 bits in base 32: nobody guesses one, and case does not matter. */
export const TOKEN_LENGTH = 26
const TOKEN = /^[a-z2-7]{26}$/

const name = describe(line(1, 100), 'Name of the address, for the members.')
export const NewBillMailbox = model('NewBillMailbox', { name })
export const BillMailboxChange = model('BillMailboxChange', { name })

export const BillMailboxFilters = v.object(PageQuery)

export const BillMailbox = model('BillMailbox', {
  id: uuid,
  organization_id: uuid,
  name,
  address: describe(
    v.pipe(v.string(), v.email()),
    'Address to send bills to. Each mail with this token is for this organization.',
  ),
  created_by_id: uuid,
  ended_at: describe(v.nullable(timestamp), 'Instant from which it takes no mail any more; null: it takes mail.'),
  inserted_at: timestamp,
  updated_at: timestamp,
})
export type BillMailbox = v.InferInput<typeof BillMailbox>

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'

/** Writes random bytes, one for each letter, as a token. */
export const tokenOfMailbox = (random: Uint8Array): string =>
  Array.from(random.subarray(0, TOKEN_LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('')

export const addressOfMailbox = (token: string, domain: string): string => `${PREFIX}${token}@${domain}`

/** Reads the token of an address at our domain, in any case; null for any other address. */
export function tokenInAddress(address: string, domain: string): string | null {
  const at = address.lastIndexOf('@')
  const local = address.slice(0, at).toLowerCase()
  if (at < 0 || address.slice(at + 1).toLowerCase() !== domain.toLowerCase() || !local.startsWith(PREFIX)) return null
  const token = local.slice(PREFIX.length)
  return TOKEN.test(token) ? token : null
}
