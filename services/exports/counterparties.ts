/** Accounts that payments went to, by their destinations, opened once each. */
import type { Coordinates } from '../../domain/destinations/destination.ts'
import { type PayeeRow, openCoordinatesForDisplay, payeeRowColumns } from '../contacts/destinations.ts'
import { type Reader, sql } from '../../db/postgres/sql.ts'

/** A bank account, wallet or service ID, and the BIC of its bank; empty if there is none. */
type Counterparty = { readonly account: string; readonly bic: string }

/** Destinations that are remembered from page to page: most payees are paid again. */
const REMEMBERED = 20_000

export class Counterparties {
  private known = new Map<string, Counterparty>()

  constructor(private readonly reader: Reader) {}

  /** Opens these destinations. One whose coordinates do not open has no account, and is logged. */
  async open(ids: readonly string[]): Promise<ReadonlyMap<string, Counterparty>> {
    if (this.known.size > REMEMBERED) this.known = new Map()
    const { known } = this // a page keeps its own, also when they are forgotten
    const missing = ids.filter((id) => !known.has(id))
    if (missing.length > 0) {
      const rows = await this.reader<PayeeRow>(sql`
        select ${payeeRowColumns(sql`d`)} from payment_destinations d
        where d.organization_id = ${this.reader.organizationId} and d.id = any (${missing}::uuid[])`)
      for (const row of rows) known.set(row.id, toCounterparty(row))
    }
    return known
  }
}

function toCounterparty(row: PayeeRow): Counterparty {
  if (row.svc_id !== null) return { account: row.svc_id, bic: '' }
  const {
    iban,
    account_number: number,
    address,
    swift_code: bic,
  }: Coordinates = openCoordinatesForDisplay(row, row.type) ?? {}
  return { account: iban ?? number ?? address ?? '', bic: bic ?? '' }
}
