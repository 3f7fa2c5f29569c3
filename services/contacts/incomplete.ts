/** Contacts with a bank account of which no address is known: counted, and written as CSV. */
import { ADDRESS_COLUMNS } from '../../domain/destinations/payee-address.ts'
import { inert, quoteCell } from '../../domain/csv.ts'
import type { ContactId } from '../../domain/ids.ts'
import { type Fragment, type Reader, sql } from '../../db/postgres/sql.ts'

/** Builds the condition on contacts `c`: active, paid at a bank, and without an address. */
export const isIncomplete = (c: Fragment): Fragment => sql`
  (${c}.payee_address_id is null and ${c}.status = 'active' and exists (
    select from payment_destinations d
    where d.payment_contact_id = ${c}.id and d.type = 'bank' and d.payee_address_id is null and d.deleted_at is null
      and not d.pending))`

/** Selects contacts `c` with bank accounts but no address, and the currencies of these. */
export const incompleteContacts = ({ organizationId }: Pick<Reader, 'organizationId'>): Fragment => sql`
  select c.id, c.name, c.email, c.tag, min(d.inserted_at) as since, string_agg(distinct d.currency, ' ') as currencies
  from payment_destinations d
  join payment_contacts c on c.id = d.payment_contact_id and c.payee_address_id is null and c.deleted_at is null
    and c.status = 'active' and not c.one_time
  where d.organization_id = ${organizationId} and d.type = 'bank' and d.payee_address_id is null
    and d.deleted_at is null and not d.pending`

type Row = {
  readonly id: ContactId
  readonly name: string
  readonly email: string | null
  readonly tag: string | null
  readonly currencies: string
}

const HEADER = ['payment_contact_id', 'name', 'email', 'tag', 'currencies', ...ADDRESS_COLUMNS]
/** Contacts that are read at once. */
const PAGE = 1000

const lineOf = (cells: readonly string[]): string => `${cells.map((cell) => quoteCell(inert(cell))).join(',')}\r\n`

/** Writes the incomplete contacts as CSV in UTF-8, with empty columns for their addresses. */
export async function writeIncompleteContacts(reader: Reader): Promise<Buffer> {
  const lines = [`\uFEFF${lineOf(HEADER)}`]
  const empty = ADDRESS_COLUMNS.map(() => '')
  for (let after: ContactId | undefined | null = null; after !== undefined;) {
    const rows: Row[] = await reader<Row>(sql`
      ${incompleteContacts(reader)} ${after === null ? sql`` : sql`and c.id > ${after}`}
      group by c.id order by c.id limit ${sql.unsafe(String(PAGE))}`)
    lines.push(
      ...rows.map(({ id, name, email, tag, currencies }) =>
        lineOf([id, name, email ?? '', tag ?? '', currencies, ...empty]),
      ),
    )
    after = rows.length === PAGE ? rows.at(-1)?.id : undefined
  }
  return Buffer.from(lines.join(''))
}
