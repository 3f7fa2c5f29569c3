/** Items that a sync posts once: transactions, paid bills and invoices, their payments, credit notes. */
import type { SyncError } from '../../domain/accounting/integration.ts'
import type { LineItem } from '../../domain/bills/line-item.ts'
import type { Labels } from '../../domain/coding/label.ts'
import type { SavedLine } from '../../domain/coding/lines.ts'
import type { AccountingConnectionId, SyncRunId } from '../../domain/ids.ts'
import type { InvoiceDocument } from '../../domain/invoice-documents/document.ts'
import { type Fragment, type Reader, type Tx, sql } from '../../db/postgres/sql.ts'

/** Item kinds in the order of posting: a payment follows its document. */
export const KINDS = ['transaction', 'bill', 'bill_payment', 'invoice', 'credit_note', 'invoice_payment'] as const
export type ItemKind = (typeof KINDS)[number]

/**
 * Run that posts to these books. `since`: earlier items are posted, or stored as failed. `accountsRead`: the chart of
 * accounts is from the beginning of the sync.
 */
export type Posting = {
  readonly runId: SyncRunId
  readonly connectionId: AccountingConnectionId
  readonly tenantId: string
  readonly since: string | null
  readonly accountsRead: boolean
}

/** Reads the state of a sync to continue; null if it has ended, or must not post any more. */
export async function findPosting(reader: Reader, runId: SyncRunId): Promise<Posting | null> {
  const [row] = await reader<Posting>(sql`
    select r.id as "runId", r.connection_id as "connectionId", c.tenant_id as "tenantId", c.synced_to as since,
      r.accounts_read as "accountsRead"
    from accounting_sync_runs r join accounting_connections c on c.id = r.connection_id
    join organizations o on o.id = r.organization_id
    where r.id = ${runId} and r.status = 'running' and c.status = 'connected' and o.status = 'active'`)
  return row ?? null
}

export type TransactionItem = {
  readonly kind: 'transaction'
  readonly id: string
  readonly type: string
  readonly direction: 'in' | 'out'
  readonly pays_bill: boolean
  readonly amount: string
  readonly currency: string
  readonly counterparty: string | null
  readonly description: string | null
  readonly day: string
  /** Its own, else those of its payment; none if it pays a bill, which has lines of its own. */
  readonly labels: Labels
}
export type BillItem = {
  readonly kind: 'bill'
  readonly id: string
  readonly supplier: string | null
  readonly number: string | null
  readonly amount: string
  readonly currency: string
  readonly day: string
  readonly due: string
  /** Its lines as the bill states them, if any coding was saved. */
  readonly line_items: readonly LineItem[]
  readonly coding: readonly SavedLine[]
}
/** `not_claimed`: the part of the total that the customer did not accept, or deducts as an early payment. */
export type InvoiceItem = {
  readonly kind: 'invoice'
  readonly id: string
  readonly number: string
  readonly customer: string
  readonly currency: string
  readonly net_total: string
  readonly tax_total: string
  readonly total: string
  readonly taxes: readonly InvoiceDocument['taxes'][number][]
  readonly not_claimed: string
  readonly is_early: boolean
  readonly day: string
  readonly due: string
}
/** Credit note of an invoice that is in the books. */
export type CreditNoteItem = Omit<InvoiceItem, 'kind' | 'total' | 'taxes' | 'not_claimed' | 'is_early' | 'due'> & {
  readonly kind: 'credit_note'
  readonly invoice_id: string
  readonly invoice_number: string
}
/** `document`: the id that the books gave to the paid bill or invoice. */
export type PaymentItem = {
  readonly kind: 'bill_payment' | 'invoice_payment'
  readonly id: string
  readonly document: string
  readonly amount: string
  readonly currency: string
  readonly day: string
}
export type Item = TransactionItem | BillItem | InvoiceItem | CreditNoteItem | PaymentItem

/** Longest time from `posted_at` to the commit of a transaction. */
const OVERLAP = sql`interval '1 day'`

type Scope = Posting & Pick<Tx, 'organizationId'>

/** Queries for the items of a kind. */
type Source = {
  /** Ids that may be new for the books. */
  readonly fresh: (scope: Scope) => Fragment
  /**
   * Builds the condition: an item that failed before should still be posted; an allocation may be removed, a payment
   * returned.
   */
  readonly still: (id: Fragment) => Fragment
  /** Items of these ids, in their order. */
  readonly items: (scope: Scope, ids: Fragment) => Fragment
}

const SOURCES: Readonly<Record<ItemKind, Source>> = {
  transaction: {
    fresh: (scope) => sql`
      select f.id from transactions f
      where f.organization_id = ${scope.organizationId} and f.status = 'posted' and f.discarded_at is null
        ${after(sql`f.feed_at`, scope)} and ${isUntried(scope, 'transaction', sql`f.id`)} order by f.feed_at, f.id`,
    still: () => sql`true`,
    items: (_, ids) => sql`
      select 'transaction' as kind, t.id, t.type, t.direction, t.bill_id is not null as pays_bill,
        t.amount::text as amount, t.currency, t.counterparty, t.description, (t.posted_at at time zone 'UTC')::date as day,
        case when t.bill_id is not null then '[]' when t.labels <> '[]' or t.payment_id is null then t.labels else coalesce((
          select p.labels from payments p where p.id = t.payment_id and p.organization_id = t.organization_id), '[]')
        end as labels
      from transactions t where t.id in (${ids}) order by t.feed_at, t.id`,
  },
  bill: {
    fresh: (scope) => sql`
      select t.bill_id as id from transactions t join payments p on p.id = t.payment_id
      where t.organization_id = ${scope.organizationId} and t.status = 'posted' and t.discarded_at is null
        and t.type = 'payment' and t.bill_id is not null and p.status = 'succeeded' ${after(sql`t.feed_at`, scope)}
        and ${isUntried(scope, 'bill', sql`t.bill_id`)}`,
    still: (id) => sql`exists (
      select from bills b join payments p on p.id = b.payment_id where b.id = ${id} and p.status = 'succeeded')`,
    items: (_, ids) => sql`
      select 'bill' as kind, b.id, b.supplier_name as supplier, b.bill_number as number, b.amount::text as amount,
        b.currency, coalesce(b.issue_date, b.inserted_at::date) as day,
        greatest(coalesce(b.due_date, b.issue_date, b.inserted_at::date), coalesce(b.issue_date, b.inserted_at::date)) as due,
        case when c.coding is null then '[]' else b.line_items end as line_items, coalesce(c.coding, '[]') as coding
      from bills b left join lateral (
        select jsonb_agg(jsonb_build_object('line', s.line, 'amount', s.amount::text, 'description', s.description,
          'parts', s.parts)) as coding
        from bill_codings s where s.bill_id = b.id) c on true
      where b.id in (${ids}) order by b.inserted_at, b.id`,
  },
  bill_payment: {
    fresh: (scope) => sql`
      ${recentDocuments(scope, 'bill')} and ${isUntried(scope, 'bill_payment', sql`d.subject_id`)}
        and exists (select from bills b where b.id = d.subject_id and b.payment_id is not null)`,
    still: (id) => sql`exists (select from bills b where b.id = ${id} and b.payment_id is not null)`,
    items: ({ organizationId, tenantId }, ids) => sql`
      select 'bill_payment' as kind, b.id, d.external_id as document,
        -- less than the bill where a credit note was set against it: the rest stays open in the books
        coalesce((select p.landing_amount from payments p where p.id = b.payment_id), b.amount)::text as amount, b.currency,
        (select max((t.posted_at at time zone 'UTC')::date) from transactions t
          where t.organization_id = ${organizationId} and t.payment_id = b.payment_id and t.type = 'payment') as day
      from bills b join accounting_items d on d.organization_id = ${organizationId} and d.kind = 'bill'
        and d.tenant_id = ${tenantId} and d.subject_id = b.id and d.status = 'pushed'
      where b.id in (${ids}) order by b.inserted_at, b.id`,
  },
  invoice: {
    fresh: (scope) => sql`
      select f.id from invoices f where f.organization_id = ${scope.organizationId} and f.status = 'paid'
        and f.deleted_at is null -- which the index of states has
        ${after(sql`f.updated_at`, scope)} and ${isUntried(scope, 'invoice', sql`f.id`)}`,
    still: (id) => sql`exists (select from invoices v where v.id = ${id} and v.status = 'paid')`,
    items: (_, ids) => sql`
      select 'invoice' as kind, v.id, v.number, c.company_name as customer, v.currency, v.net_total::text as net_total,
        v.tax_total::text as tax_total, v.total::text as total, v.taxes,
        (v.total - v.credited - invoice_claim(v.total, v.accepted_amount, v.credited, v.settled_by, v.early_percentage))::text
          as not_claimed,
        coalesce(v.settled_by = 'early_payment', false) as is_early,
        v.issue_date as day, v.due_date as due
      from invoices v join billing_contacts c on c.id = v.billing_contact_id
      where v.id in (${ids}) order by v.inserted_at, v.id`,
  },
  credit_note: {
    fresh: (scope) => sql`
      select n.id from credit_notes n join accounting_items d on d.organization_id = ${scope.organizationId}
        and d.kind = 'invoice' and d.tenant_id = ${scope.tenantId} and d.subject_id = n.invoice_id and d.status = 'pushed'
      where n.organization_id = ${scope.organizationId} and n.status = 'sent' and n.deleted_at is null
        ${after(sql`greatest(n.sent_at, d.tried_at)`, scope)} and ${isUntried(scope, 'credit_note', sql`n.id`)}`,
    still: () => sql`true`,
    items: (_, ids) => sql`
      select 'credit_note' as kind, n.id, n.number, n.invoice_id, v.number as invoice_number, c.company_name as customer, v.currency,
        n.net_total::text as net_total, n.tax_total::text as tax_total, n.issue_date as day
      from credit_notes n join invoices v on v.id = n.invoice_id join billing_contacts c on c.id = v.billing_contact_id
      where n.id in (${ids}) order by n.inserted_at, n.id`,
  },
  invoice_payment: {
    fresh: (scope) => sql`
      select a.id from invoice_allocations a join (${recentDocuments(scope, 'invoice')}) d on d.id = a.invoice_id
      where a.taken_back_at is null and ${isUntried(scope, 'invoice_payment', sql`a.id`)}`,
    still: (id) => sql`exists (
      select from invoice_allocations a where a.id = ${id} and a.taken_back_at is null)`,
    items: ({ organizationId, tenantId }, ids) => sql`
      select 'invoice_payment' as kind, a.id, d.external_id as document, a.amount::text as amount, t.currency,
        (t.posted_at at time zone 'UTC')::date as day
      from invoice_allocations a join transactions t on t.id = a.transaction_id
      join accounting_items d on d.organization_id = ${organizationId} and d.kind = 'invoice'
        and d.tenant_id = ${tenantId} and d.subject_id = a.invoice_id and d.status = 'pushed'
      where a.id in (${ids}) order by a.inserted_at, a.id`,
  },
}

const after = (at: Fragment, { since }: Scope): Fragment =>
  since === null ? sql`` : sql`and ${at} >= ${since}::timestamptz - ${OVERLAP}`

/** Builds the condition: no run has tried this subject for these books. */
const isUntried = ({ organizationId, tenantId }: Scope, kind: ItemKind, id: Fragment): Fragment => sql`
  not exists (select from accounting_items i where i.organization_id = ${organizationId}
    and i.tenant_id = ${tenantId} and i.kind = ${kind} and i.subject_id = ${id})`

/** Selects bills or invoices that were posted to these books recently. */
const recentDocuments = (scope: Scope, kind: 'bill' | 'invoice'): Fragment => sql`
  select d.subject_id as id from accounting_items d
  where d.organization_id = ${scope.organizationId} and d.tenant_id = ${scope.tenantId} and d.kind = ${kind}
    and d.status = 'pushed' ${after(sql`d.tried_at`, scope)}`

/** Reads the next items of a kind: new ones, and those that failed in earlier runs. */
export async function nextItems(tx: Tx, kind: ItemKind, posting: Posting, most: number): Promise<Item[]> {
  const scope = { ...posting, organizationId: tx.organizationId }
  const { fresh, still, items } = SOURCES[kind]
  const waiting = sql`
    select i.subject_id as id from accounting_items i
    where i.organization_id = ${tx.organizationId} and i.tenant_id = ${posting.tenantId} and i.kind = ${kind}
      and i.status <> 'pushed' and i.run_id <> ${posting.runId} and ${still(sql`i.subject_id`)}`
  const ids = sql`(${fresh(scope)} limit ${most}) union (${waiting} limit ${most}) limit ${most}`
  const rows = await tx`${items(scope, ids)}`
  return [...rows] as unknown as Item[] // the source selects the columns of its kind
}

/** Finds the run that tried each item last, of those that these books do not have yet. */
export async function findLastTries(
  tx: Tx,
  kind: ItemKind,
  { tenantId }: Posting,
  items: readonly Item[],
): Promise<Map<string, string>> {
  const rows = await tx<{ id: string; run_id: string }[]>`
    select subject_id as id, run_id from accounting_items
    where organization_id = ${tx.organizationId} and tenant_id = ${tenantId} and kind = ${kind}
      and subject_id = any (${items.map(({ id }) => id)}::uuid[])`
  return new Map(rows.map(({ id, run_id: runId }) => [id, runId]))
}

/** Outcome of an item: its id in the books, or the error. */
export type Outcome =
  | { readonly id: string; readonly status: 'pushed'; readonly externalId: string }
  | { readonly id: string; readonly status: 'skipped' | 'failed'; readonly error: SyncError }

/** Records the outcomes of items; a posted item stays posted. */
export async function recordItems(
  tx: Tx,
  kind: ItemKind,
  { tenantId, runId }: Posting,
  outcomes: readonly Outcome[],
): Promise<void> {
  const externalIds = outcomes.map((outcome) => (outcome.status === 'pushed' ? outcome.externalId : null))
  await tx`
    insert into accounting_items as i (organization_id, tenant_id, kind, subject_id, status, external_id, run_id)
    select ${tx.organizationId}, ${tenantId}, ${kind}, o.id, o.status, o.external_id, ${runId}
    from unnest(${outcomes.map(({ id }) => id)}::uuid[], ${outcomes.map(({ status }) => status)}::text[],
      ${externalIds}::text[]) o (id, status, external_id)
    on conflict (organization_id, tenant_id, kind, subject_id) do update
    set status = excluded.status, external_id = excluded.external_id, run_id = excluded.run_id,
      tried_at = business_now()
    where i.status <> 'pushed'`
}
