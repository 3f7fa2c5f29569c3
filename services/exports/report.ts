/** Report of an export, read in one snapshot of an organization's books. */
import { before, timeRange } from '../../db/postgres/filters.ts'
import { type ReportFormat, type ReportType, Unwritable } from '../../domain/exports/export.ts'
import { type Account, type Report, type Row, type Section, lineOf } from '../../domain/exports/report.ts'
import type { OrganizationId } from '../../domain/ids.ts'
import { formatAmount, fromMinor, toMinor } from '../../domain/money/money.ts'
import { inFreshSnapshot } from '../../db/postgres/replica.ts'
import { type NamedOrganization, nameInDocument } from '../../domain/organizations/payer.ts'
import { type Fragment, type Reader, first, inSnapshot, read, sql } from '../../db/postgres/sql.ts'
import { selectBankAccountIn } from '../accounts/receiving-accounts.ts'
import { selectVerified } from '../payers/payers.ts'
import type { Try } from './steps.ts'
import { type Range, countRows, feedPages, readPosted, sumRows } from './rows.ts'

/** A try whose file shows rows of the books. */
export type ReportTry = Omit<Try, 'sample' | 'type' | 'format'> & {
  readonly type: ReportType
  readonly format: ReportFormat
}

/** Lets `write` write a report whose rows and balances are all of one instant; rows are read while it writes. */
export async function withReport<Result>(
  organizationId: OrganizationId,
  wanted: ReportTry,
  write: (report: Report) => Promise<Result>,
): Promise<Result> {
  // waits for postings under way: what the snapshot lacks is posted after this instant
  const now = await first(
    read<{ at: string }>(
      organizationId,
      sql`select business_now() as at, (select count(*) from balances_as_of(business_now())) as balances`,
    ),
  )
  if (!now) throw new Error('a select without a table has one row')
  const snapshot = wanted.number === 1 ? inFreshSnapshot : inSnapshot // a second try does not depend on the replica
  return snapshot(organizationId, async (reader) => write(await reportOf(reader, wanted, now)))
}

async function reportOf(reader: Reader, wanted: ReportTry, { at }: { readonly at: string }): Promise<Report> {
  const { id, type, format, from, to, currency, ownOnly, userId } = wanted
  const range: Range = { from, to, currency, creator: ownOnly ? userId : null }
  const found = await first(
    reader<Report['organization'] & { readonly verified: NamedOrganization | null }>(sql`
      select o.id, o.name, o.company_address as address, o.tax_id, l.image as logo, ${selectVerified(sql`o`)} as verified
      from organizations o left join logos l on l.organization_id = o.id
      where o.id = ${reader.organizationId}`),
  )
  if (!found) throw new Error('the organization is not there')
  const { verified, ...own } = found
  const organization = { ...own, ...nameInDocument(own, verified) }
  return { id, type, from, to, at, organization, sections: await sectionsOf(reader, { id, type, format }, range) }
}

type Order = Pick<ReportTry, 'id' | 'type' | 'format'>

async function sectionsOf(reader: Reader, wanted: Order, range: Range): Promise<Section[]> {
  const { type } = wanted
  if (type === 'expenses') return []
  if (type === 'transactions') {
    const rows = () => countRows(reader, range, { withPending: true })
    const sums = () => Promise.reject(new Error('a list is of no account'))
    return [{ account: null, rows, sums, pages: feedPages(reader, range) }]
  }
  const accounts = await readAccounts(reader, wanted, range)
  return accounts.map((account) => {
    const own = { ...range, currency: account.currency }
    const rows = () => countRows(reader, own, { withPending: false })
    const sums = () => sumRows(reader, own)
    return { account, rows, sums, pages: addingUp(readPosted(reader, own), account) }
  })
}

/** Reads accounts by currency with both balances; a named currency without an account counts as empty. */
async function readAccounts(reader: Reader, { id, format }: Order, range: Range): Promise<Account[]> {
  const { from, to, currency } = range
  const balance = (when: Fragment) => sql`
    (select e.balance from ledger_entries e where e.account_id = a.id ${when}
      order by e.posted_at desc, e.seq desc limit 1)`
  const number = (unit: Fragment) => sql`
    (select count(*)::int from exports x join exports e on e.organization_id = x.organization_id
      where x.id = ${id} and e.type = x.type and e.format = ${format} and (e.currency is null or e.currency = ${unit})
        and (e.inserted_at, e.id) <= (x.inserted_at, x.id))`
  const rows = await reader<Account>(sql`
    select (array_agg(a.id) filter (where a.kind = 'available'))[1] as id, a.currency,
      (${bankOf(reader, sql`a.currency`)}) as bank, ${number(sql`a.currency`)} as number,
      coalesce(sum(${balance(before(sql`e.posted_at`, from))}), 0) as opening,
      coalesce(sum(${balance(timeRange(sql`e.posted_at`, { to }))}), 0) as closing
    from ledger_accounts a
    where a.organization_id = ${reader.organizationId} ${currency ? sql`and a.currency = ${currency}` : sql``}
    group by a.currency order by a.currency`)
  const unused = async (unit: string): Promise<Account> => {
    const found = await first(
      reader<Pick<Account, 'bank' | 'number'>>(
        sql`select (${bankOf(reader, sql`${unit}`)}) as bank, ${number(sql`${unit}`)} as number`,
      ),
    )
    const { bank, number: counted } = found ?? { bank: null, number: 1 }
    return { id: reader.organizationId, currency: unit, bank, number: counted, opening: '0', closing: '0' }
  }
  return (rows.length > 0 || !currency ? rows : [await unused(currency)]).map(({ opening, closing, ...account }) => ({
    ...account,
    opening: formatAmount(opening, account.currency),
    closing: formatAmount(closing, account.currency),
  }))
}

/** Selects the account at the bank in a currency. Names of details are the bank's (docs/partners.md). */
const bankOf = (reader: Reader, currency: Fragment): Fragment => sql`
  select json_build_object('iban', r.details ->> 'iban', 'bic', r.details ->> 'swift_code',
    'number', coalesce(r.details ->> 'account_number', r.account))
  from (${selectBankAccountIn(sql`${reader.organizationId}`, currency)}) r`

/** Throws `Unwritable` unless the rows lead from the opening to the closing balance. */
async function* addingUp(
  pages: AsyncIterable<readonly Row[]>,
  { currency, opening, closing }: Account,
): AsyncGenerator<readonly Row[]> {
  let balance = toMinor({ amount: opening, currency })
  for await (const page of pages) {
    for (const row of page) {
      const { amount, direction } = lineOf(row)
      const minor = toMinor({ amount, currency })
      balance += direction === 'in' ? minor : -minor
    }
    yield page
  }
  if (fromMinor(balance, currency).amount !== closing)
    throw new Unwritable('does_not_add_up', `the lines of a statement do not add up in ${currency}`)
}
