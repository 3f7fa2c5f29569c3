/** Reports without books, as input of the formats. */
import type { ReportType } from '../../../domain/exports/export.ts'
import {
  type Account,
  DETAILS,
  type Report,
  type Row,
  type Section,
  TRANSACTION_COLUMNS,
} from '../../../domain/exports/report.ts'
import { fromMinor, toMinor } from '../../../domain/money/money.ts'

/** A movement in minor units, positive if received, with notes. */
export type Movement = {
  readonly minor: bigint
  readonly counterparty?: string
  readonly description?: string
  /** Other cells by their names. */
  readonly cells?: Readonly<Record<string, string>>
}

const NAMES = [...TRANSACTION_COLUMNS.map(({ name }) => name), ...DETAILS]

const uuid = (n: number): string => `01900000-0000-7000-8000-${n.toString().padStart(12, '0')}`
const instant = (n: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, n)).toISOString()

/** An account that leads from one balance to the other by these movements, in pages of two. */
export function account(
  currency: string,
  opening: string,
  movements: readonly Movement[],
  first = 0,
  bank: Account['bank'] = null,
): Section {
  let balance = toMinor({ amount: opening, currency })
  const rows = movements.map(({ minor, counterparty = 'Payee', description = 'Invoice 1', cells }, index): Row => {
    balance += minor
    const amount = fromMinor(minor < 0n ? -minor : minor, currency).amount
    const at = instant(first + index)
    const [id, running] = [uuid(first + index), fromMinor(balance, currency).amount]
    const own: Readonly<Record<string, string>> = {
      id,
      posted_at: at,
      occurred_at: at,
      type: 'payment',
      direction: minor < 0n ? 'out' : 'in',
      amount,
      currency,
      running_balance: running,
      counterparty,
      description,
      payment_id: uuid(9e5 + index),
      ...cells,
    }
    return NAMES.map((name) => own[name] ?? '')
  })
  const closing = fromMinor(balance, currency).amount
  return {
    account: { id: uuid(800_000), currency, opening, closing, number: 7, bank },
    rows: async () => rows.length,
    sums: async () => ({ in: sumOf(movements, currency, 1n), out: sumOf(movements, currency, -1n) }),
    pages: inPages(rows),
  }
}

function sumOf(movements: readonly Movement[], currency: string, sign: bigint) {
  const own = movements.map(({ minor }) => minor * sign).filter((minor) => minor > 0n)
  return {
    rows: own.length,
    amount: fromMinor(
      own.reduce((sum, one) => sum + one, 0n),
      currency,
    ).amount,
  }
}

async function* inPages(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  for (let i = 0; i < rows.length; i += 2) yield rows.slice(i, i + 2)
}

export const report = (
  type: ReportType,
  sections: readonly Section[],
  more: Partial<Report['organization']> = {},
): Report => ({
  id: uuid(1),
  type,
  from: '2026-01-01',
  to: '2026-01-31',
  at: '2026-02-01T09:30:00.123456Z',
  organization: {
    id: uuid(2),
    name: 'Smith & Sons',
    address: '1 High Street\nLondon',
    tax_id: 'GB 1',
    logo: null,
    ...more,
  },
  sections,
})

export async function whole(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of content) pieces.push(piece)
  return Buffer.concat(pieces)
}
