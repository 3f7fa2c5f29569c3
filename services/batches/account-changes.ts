/** Rows of a batch whose payee was last paid at another account. */
import { type ChangeFacts, coolingOffBlockers, isChanged, isCoolingOff } from '../../domain/account-changes/change.ts'
import type { BatchAccountChange } from '../../domain/batches/account-change.ts'
import { BANK_COLUMNS } from '../../domain/batches/columns.ts'
import { batchEvents, batchMoves } from '../../domain/batches/events.ts'
import { type Blocker, Refusal } from '../../domain/errors.ts'
import type { BatchId } from '../../domain/ids.ts'
import { compareDecimals } from '../../domain/money/decimal.ts'
import { type Money, moneyOf } from '../../domain/money/money.ts'
import { type Brought, describeChange, mailFormer, noteChange } from '../account-changes/changes.ts'
import { changeFacts, lockRequests, selectNamesPaid } from '../account-changes/facts.ts'
import { selectSupplierKeys, supplierOf, usableAt } from '../account-changes/suppliers.ts'
import { showAccount, toChangedAccount } from '../contacts/destinations.ts'
import { fullName } from '../../db/postgres/fragments.ts'
import { type Fragment, type Reader, type Tx, sql, within } from '../../db/postgres/sql.ts'
import { type SealedCells, bankDetailsOf } from './cells.ts'

/** Rows that pay one payee at one account. */
export type ChangedRows = Money & {
  readonly rows: number
  readonly row_number: number
  readonly row_id: string
  readonly account_id: string
  readonly contact_id: string | null
  /** The name by which the payee is known; of a contact, those under which it was paid. */
  readonly names: readonly string[]
  /** Submission that found the account of rows without a destination changed; null if none did. */
  readonly seen_at: string | null
  readonly facts: ChangeFacts
  /** Sum of all that the batch pays to the account in this currency. */
  readonly asked: string
}

/**
 * Selects the valid rows `r` of a batch through the bank, by payee and account. A row that pays an account of a contact
 * under another name counts as that contact, and as that name: neither hides that the account has changed. A row of a
 * bill is a group of its own: its payee is known as the supplier of the bill.
 */
const groups = (id: Fragment, condition: (r: Fragment) => Fragment): Fragment => sql`
  select g.*, sum(g.sum) over (partition by g.account_id, g.currency)::text as asked from (
    select coalesce(r.payment_contact_id, d.payment_contact_id) as contact_id, d.id as destination_id, r.account_id,
      case when r.payment_contact_id is null then r.name_key end as name_key, r.currency, r.bill_id,
      min(r.account_seen_at) as seen_at,
      coalesce(max(${usableAt(sql`d`)}), min(r.account_seen_at), business_now()) as usable_at,
      sum(r.amount) as sum, count(*)::int as rows, bool_or(r.account_changed) as marked,
      min(r.row_number) as row_number, (array_agg(r.id order by r.row_number))[1] as row_id
    from payment_batch_rows r left join payment_destinations d on d.id = coalesce(r.destination_id, r.known_as)
    where r.payment_batch_id = ${id} and r.status = 'valid'
      and (r.rail = 'fiat' or r.payment_contact_id is not null) ${condition(sql`r`)} group by 1, 2, 3, 4, 5, 6) g`

const { nameKey, supplier } = supplierOf(sql`g.bill_id`)

/** Selects groups of rows with their ChangeFacts. */
const withFacts = (
  reader: Pick<Reader, 'organizationId'>,
  id: Fragment,
  from: Fragment,
  askedAt: Fragment = sql`null::timestamptz`,
): Fragment => sql`
  select g.rows, g.row_number, g.row_id, g.account_id, g.contact_id,
    array_remove(array[g.name_key], null) || array(${selectNamesPaid(sql`g.contact_id`)}) as names,
    g.seen_at, g.sum::text as amount, g.currency, g.asked, ${changeFacts(
      reader,
      sql`select g.contact_id, g.destination_id, g.account_id, g.usable_at, g.currency,
      case when g.bill_id is null then g.name_key else ${nameKey} end as name_key, ${selectSupplierKeys(supplier)},
      null::uuid as payment_id, ${id} as batch_id, ${askedAt} as asked_at, null::timestamptz as before`,
    )} as facts from ${from} g`

/** Selects the groups `g` whose payee was paid at another account: few are, and only these are looked at. */
const selectPaidElsewhere = ({ organizationId }: Reader, id: Fragment): Fragment => sql`
  with g as materialized (${groups(id, () => sql``)}), elsewhere as (
    select g.row_id from g where g.bill_id is not null
    union
    select g.row_id from g
    join payment_destinations e on e.payment_contact_id = g.contact_id and e.account_id <> g.account_id
    where exists (select from payments p where p.destination_id = e.id)
    union
    select g.row_id from g
    join payments p on p.organization_id = ${organizationId} and p.payee_key = g.name_key
    join payment_destinations e on e.id = p.destination_id and e.account_id <> g.account_id
    union
    select g.row_id from g
    join bills b on b.organization_id = ${organizationId} and b.name_key = g.name_key
    join payments p on p.bill_id = b.id
    join payment_destinations e on e.id = p.destination_id and e.account_id <> g.account_id
  )
  select g.* from g join elsewhere using (row_id)`

/**
 * Selects the facts of the rows of a batch `b` that its submission marked, as json. Other rows to the same accounts are
 * in their sums.
 */
export const selectMarkedChanges = (b: Fragment, reader: Pick<Reader, 'organizationId'>): Fragment => sql`(
  select coalesce(json_agg(json_build_object('facts', x.facts, 'asked', x.asked, 'amount', x.amount,
    'currency', x.currency, 'account_id', x.account_id, 'contact_id', x.contact_id, 'names', x.names,
    'row_number', x.row_number)), '[]')
  from (${withFacts(reader, sql`${b}.id`, sql`(select * from (${groups(sql`${b}.id`, (r) => isAtMarked(b, r))}) o where o.marked)`, sql`${b}.submitted_at`)}) x)`

/** Builds the condition that a row pays an account of marked ones. Few batches `b` have any: others are not read. */
const isAtMarked = (b: Fragment, r: Fragment): Fragment => sql`
  and exists (select from payment_batch_rows m where m.payment_batch_id = ${b}.id and m.account_changed)
  and ${r}.account_id in (select m.account_id from payment_batch_rows m
    where m.payment_batch_id = ${b}.id and m.account_changed)`

type Payee = Pick<ChangedRows, 'contact_id' | 'names'>
type PayeeRow = Payee & Pick<ChangedRows, 'facts' | 'asked' | 'amount' | 'account_id' | 'currency' | 'row_number'>

/** Tells if two groups of rows pay one payee: by the same contact, by the same name, or by either of both. */
const isSamePayee = (one: Payee, other: Payee): boolean =>
  one.contact_id !== null && other.contact_id !== null
    ? one.contact_id === other.contact_id
    : one.names.some((name) => other.names.includes(name))

/** Lists what blocks paying rows, with the numbers of those that have to wait. */
export function coolingOff(changes: readonly PayeeRow[]): Blocker[] {
  const waiting = changes.flatMap(({ facts, asked, currency, row_number: row, ...one }) => {
    const others = changes.filter((other) =>
      other.account_id === one.account_id
        ? other.currency !== currency
        : isSamePayee(one, other) && isCoolingOff(other.facts),
    )
    const more = others.map(({ amount, currency: code, facts: { usd } }) => ({ amount, currency: code, usd: usd.paid }))
    return coolingOffBlockers(facts, moneyOf(asked, currency), more).map(() => ({ row, until: facts.until }))
  })
  const [first] = waiting
  if (!first) return []
  const until = waiting.reduce((latest, one) => (one.until > latest ? one.until : latest), first.until)
  const rows = waiting.map(({ row }) => row).toSorted((one, other) => one - other)
  return [{ type: 'account_cooling_off', details: { until, rows: rows.slice(0, ROWS_NAMED), rows_total: rows.length } }]
}

const ROWS_NAMED = 50

/** Tells if rows of a batch pay accounts that have to wait by the setting of now. */
export async function hasToWait(reader: Reader, id: BatchId): Promise<boolean> {
  const [found] = await reader<{ changes: Parameters<typeof coolingOff>[0] }>(sql`
    select ${selectMarkedChanges(sql`b`, reader)} as changes from payment_batches b where b.id = ${id}`)
  return found !== undefined && coolingOff(found.changes).length > 0
}

/** Finds the rows of a draft whose account has changed. */
async function findChanges(tx: Tx, id: BatchId): Promise<ChangedRows[]> {
  const batch = () => sql`${id}::uuid`
  const reader = within(tx)
  const found = await reader<ChangedRows>(withFacts(reader, batch(), sql`(${selectPaidElsewhere(reader, batch())})`))
  return found.filter(({ facts }) => isChanged(facts))
}

/**
 * Marks the rows of a judged draft whose account has changed, and answers them. What has to wait is read again under the
 * lock of requests, which all that pays a new account takes.
 */
export async function markChanges(tx: Tx, id: BatchId): Promise<readonly ChangedRows[]> {
  let changed = await findChanges(tx, id)
  if (changed.some(({ facts }) => isCoolingOff(facts))) {
    await tx`select from ${lockRequests(tx, sql`null::uuid`)} (values (1)) one`
    changed = await findChanges(tx, id)
  }
  const rows = changed.map(({ row_id: row }) => row)
  await tx`
    update payment_batch_rows set account_changed = false where payment_batch_id = ${id} and account_changed`
  if (rows.length === 0) return []
  await tx`
    update payment_batch_rows r set account_changed = true, account_seen_at = coalesce(r.account_seen_at, business_now())
    from payment_batch_rows o
    where o.id = any (${rows}::uuid[]) and r.payment_batch_id = ${id} and r.status = 'valid'
      and (r.destination_id = o.destination_id or (r.destination_id is null and o.destination_id is null
        and r.account_id = o.account_id and r.name_key is not distinct from o.name_key))`
  return changed
}

/** Notes changed accounts, and mails their payees. Nothing that other requests wait for is locked after it. */
export async function noteChanges(tx: Tx, changed: readonly ChangedRows[]): Promise<void> {
  for (const { facts, seen_at: seen } of changed) {
    if (facts.destination !== null) await noteChange(tx, facts)
    else if (seen === null) await mailFormer(tx, facts)
  }
}

/** Gives the refusal of rows that have to wait. */
export function coolingOffRefusal(changes: readonly ChangedRows[]): Refusal | undefined {
  const [blocker] = coolingOff(changes)
  return blocker && new Refusal(blocker.type, blocker.details)
}

/** Changes that approvers are shown one by one; the largest amounts come first. */
const SHOWN = 20

/** Describes changed accounts for approvers; null if there are none. */
export async function describeChanges(
  tx: Tx,
  id: BatchId,
  changed: readonly ChangedRows[],
): Promise<BatchAccountChange | null> {
  if (changed.length === 0) return null
  const largest = changed
    .toSorted((one, other) => compareDecimals(other.amount, one.amount) || one.row_number - other.row_number)
    .slice(0, SHOWN)
  const changes = []
  for (const { facts, row_id, row_number, rows, amount, currency } of largest) {
    const change = await describeChange(
      within(tx),
      facts,
      showAccount,
      facts.destination === null ? () => ofRow(tx, id, row_id) : undefined,
    )
    if (change) changes.push({ row_number, rows, amount: moneyOf(amount, currency), ...change })
  }
  return { payees: changed.length, rows: changed.reduce((sum, { rows }) => sum + rows, 0), changes }
}

/** Describes the account that a row names itself. */
async function ofRow(tx: Tx, batchId: BatchId, rowId: string): Promise<Brought> {
  const [row] = await tx<(Omit<Brought, 'new'> & SealedCells)[]>`
    select r.id, encode(r.sealed, 'hex') as sealed, r.updated_at as changed_at,
      (select coalesce(json_agg(json_build_object('id', p.id, 'name', ${fullName(sql`p`)}) order by p.id), '[]')
        from people p where p.id in (${changersOfRow(sql`r`)})) as changed_by
    from payment_batch_rows r where r.id = ${rowId} and r.payment_batch_id = ${batchId}`
  if (!row) throw new Error('the row is there')
  const { id, sealed, ...rest } = row
  return { new: toChangedAccount(null, bankDetailsOf({ id, sealed })), ...rest }
}

/**
 * Selects the people who added the row `r`, or had it imported, and who changed its account. Rows before it may have
 * had its number.
 */
const changersOfRow = (r: Fragment): Fragment => sql`
  (select e.actor_user_id from events e
    where e.subject_id = ${r}.payment_batch_id and (
      (e.type = ${batchMoves.types.import.type} and e.occurred_at <= ${r}.inserted_at)
      or (e.type = ${batchEvents.row_added.type} and ${isAboutRow(sql`e`, r)}))
    order by e.occurred_at desc, e.id desc limit 1)
  union select e.actor_user_id from events e
    where e.subject_id = ${r}.payment_batch_id and e.type = ${batchEvents.row_changed.type} and ${isAboutRow(sql`e`, r)}
      and e.payload::jsonb -> 'columns' ?| ${[...BANK_COLUMNS]}::text[]`

/** Builds the condition that an event `e` of a batch is about its row `r`. */
const isAboutRow = (e: Fragment, r: Fragment): Fragment => sql`
  ${e}.occurred_at >= ${r}.inserted_at and (${e}.payload::jsonb ->> 'row_number')::int = ${r}.row_number`
