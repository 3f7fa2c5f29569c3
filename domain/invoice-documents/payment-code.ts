/** Text of the QR code from which a banking app fills in a credit transfer. */
import type { InvoiceDocument } from './document.ts'

const NAME_MAX = 70
/** Most cents: 999,999,999.99 EUR. */
const CENTS_MAX = 99_999_999_999n

/**
 * Writes a SEPA credit transfer by EPC069-12, version 002, in UTF-8. Its remittance information is the number of the
 * invoice. Null unless 0.01 to 999,999,999.99 EUR are owed to an account with an IBAN.
 */
export function paymentCodeOf({ currency, total, number, account }: InvoiceDocument): string | null {
  const iban = account?.iban?.replaceAll(/\s/g, '')
  if (currency !== 'EUR' || !account || !iban) return null
  const cents = BigInt(total.replace('.', ''))
  if (cents <= 0n || cents > CENTS_MAX) return null
  // one line: each element of the code ends with its line
  const holder = account.holder.replaceAll(/[\s\p{Cs}]+/gu, ' ')
  const name = Array.from(holder).slice(0, NAME_MAX).join('')
  const [purpose, structured] = ['', '']
  return ['BCD', '002', '1', 'SCT', account.bic ?? '', name, iban, `EUR${total}`, purpose, structured, number].join(
    '\n',
  )
}
