/** Words about an entity for operators. */
import type { PostalAddress } from '../party.ts'
import { onOneLine } from '../text.ts'

/** Writes an address on one line. */
export const sayAddress = (address: PostalAddress | null): string =>
  address === null
    ? '-'
    : onOneLine(
        [address.line1, address.line2, `${address.postal_code} ${address.city}`, address.country_code]
          .filter((part) => part !== null)
          .join(', '),
      )
