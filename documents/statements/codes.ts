/** Codes of movements: external code sets of ISO 20022, field 61 of MT940, OFX 2.2 (11.4.4.3). */
import type { TransactionType } from '../../domain/accounts/transaction.ts'
import type { Line } from '../../domain/exports/report.ts'
import { readIban } from './accounts.ts'

type Codes = {
  /** Domain, family and sub-family. */
  readonly iso: readonly [string, string, string]
  readonly swift: string
  readonly ofx: string
}

/** Selects the codes of a movement. */
export function codesOf(line: Line): Codes {
  const isOut = line.direction === 'out'
  const issued = isOut ? 'ICDT' : 'RCDT'
  const returned = isOut ? 'RCDT' : 'ICDT'
  switch (
    line.type as TransactionType // the feed has no other
  ) {
    case 'payment':
    case 'deposit':
      return { iso: ['PMNT', issued, transferOf(line)], swift: 'NTRF', ofx: isOut ? 'PAYMENT' : 'DEP' }
    case 'fee':
      return { iso: ['PMNT', 'ICDT', 'CHRG'], swift: 'NCHG', ofx: 'FEE' }
    case 'refund':
    case 'reversal':
      return { iso: ['PMNT', returned, 'RRTN'], swift: 'NRTI', ofx: isOut ? 'DEBIT' : 'CREDIT' }
    case 'swap':
      return { iso: ['FORX', 'SPOT', 'OTHR'], swift: 'NFEX', ofx: 'XFER' }
    case 'subscription':
      return { iso: ['ACMT', 'MDOP', 'FEES'], swift: 'NCHG', ofx: 'SRVCHG' }
  }
}

/** Selects the sub-family of a transfer: within the service, by SEPA, or another one. */
function transferOf({ rail, currency, account }: Line): string {
  if (rail === 'svc_id') return 'BOOK'
  const isSepa = rail === 'fiat' && currency === 'EUR' && (account === '' || readIban(account) !== null)
  return isSepa ? 'ESCT' : 'OTHR'
}
