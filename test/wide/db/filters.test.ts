/**
 * A filter that finds nothing reads few rows of a large organization: every filter of every list, as the operations
 * declare them. Postgres counts the rows of a transaction.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { parse } from '../../../api/http/validation.ts'
import type { AnyContext, Route } from '../../../api/http/route.ts'
import { routes } from '../../../api/routes.ts'
import { inSnapshot, sql } from '../../../db/postgres/sql.ts'
import type { OrganizationId, UserId } from '../../../domain/ids.ts'
import type { Person } from '../../../domain/people/actor.ts'
import { membershipOf } from '../../../services/people/sessions.ts'
import { deleteClones, insertClones } from '../../support/clones.ts'
import { type Ids, world } from '../../support/contract/world.ts'

const ROWS = 3000
/** Row budget of a page that has nothing. */
const MOST = 500

/** Reasons why a filter reads all rows of an organization. */
const FEW = 'an organization has few of them'
const WRITTEN_AGAIN = 'each index would be written again with each change of the row'
const WORDS = 'words are anywhere in a text, and row-level security keeps operators on texts from indexes'
const MERGED = 'kinds are merged, and the rows of each bounded (plans.test.ts)'
const IN_INDEX = 'amounts are compared in the index of the feed, ten million in 1.2 s'
const BOUNDED = 'a page reads some ten thousand rows, and says that there is more'

const HIDDEN = 'all destinations of the copies are of one contact, whose cost hides that of the index'

const because = (reason: string, names: string): Readonly<Record<string, string>> =>
  Object.fromEntries(names.split(' ').map((name) => [name, reason]))

const READS_ALL: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  listApprovals: { ...because(WRITTEN_AGAIN, 'status statuses action_type mine'), ...because(WORDS, 'q') },
  listAttention: because(MERGED, 'severity kind actionable'),
  listBillingContacts: because(WORDS, 'q'),
  listBills: {
    ...because(WRITTEN_AGAIN, 'status currency due_from due_to due_before overdue open payable credits'),
    ...because(WORDS, 'supplier q'),
  },
  listCreditNotes: because(FEW, 'state billing_contact_id currency issue_date_from issue_date_to'),
  listDeposits: { ...because(WRITTEN_AGAIN, 'status currency amount_min amount_max'), ...because(WORDS, 'q') },
  listInboundMails: because(FEW, 'status'),
  listInvitations: { ...because(FEW, 'status'), ...because(WORDS, 'q') },
  listInvoices: because(
    WRITTEN_AGAIN,
    'billing_contact_id currency due_date_from due_date_to issue_date_from issue_date_to overdue',
  ),
  listPaymentBatches: because(FEW, 'status'),
  listPaymentContacts: {
    ...because(FEW, 'tag type status destination_type currency incomplete'),
    ...because(HIDDEN, 'external_id'),
    ...because(WORDS, 'q'),
  },
  listPaymentDestinations: because(FEW, 'type currency idempotency_key'),
  listPayments: {
    ...because(WRITTEN_AGAIN, 'status rail payment_contact_id tag amount_min amount_max currency'),
    ...because(WORDS, 'q'),
  },
  listRequests: because(BOUNDED, 'api_key_id delegate_id operation status_class user_id'),
  listSubstitutions: because(FEW, 'active user_id substitute_id'),
  listSwaps: because(FEW, 'source_currency target_currency'),
  listTransactions: { ...because(IN_INDEX, 'amount_min amount_max'), ...because(BOUNDED, 'q') },
  listWebhookDeliveries: because(WRITTEN_AGAIN, 'status event_id'),
}

type Entry = {
  /** Words of a picklist, or forms of a union. */
  readonly options?: readonly (string | Entry)[]
  readonly wrapped?: Entry
  readonly item?: Entry
  readonly pipe?: readonly Entry[]
}
type Entries = Readonly<Record<string, Entry>>
type Filter = { readonly route: Route; readonly name: string; readonly values: readonly unknown[] }

const entriesOf = ({ query }: Route): Entries => (query as { entries?: Entries } | undefined)?.entries ?? {}
const optionsOf = ({ options = [], wrapped, item, pipe = [] }: Entry): readonly string[] =>
  [...options, wrapped, item, ...pipe].flatMap((one) => (typeof one === 'string' ? one : one ? optionsOf(one) : []))

/** Values that no row has; a filter takes those of its form. */
const NOWHERE = [
  randomUUID(),
  '1990-01-01',
  '2090-01-01',
  '1990-01',
  '2090-01',
  '999999999',
  '599',
  '0.000001',
  'bill.cancelled',
  'nowhere:nowhere',
]

function filtersOf(route: Route): Filter[] {
  const takes = (name: string, value: unknown): boolean => {
    try {
      return Boolean(parse(route.query!, { [name]: value }))
    } catch {
      return false
    }
  }
  const names = Object.keys(entriesOf(route)).filter((name) => !['limit', 'cursor', 'order'].includes(name))
  return names.map((name) => {
    const options = optionsOf(entriesOf(route)[name]!)
    const values = options.length > 0 ? options : takes(name, 'nowhere') ? ['nowhere'] : NOWHERE
    const forms = values.flatMap((value) => [value, [value]])
    return { route, name, values: forms.filter((value) => takes(name, value)) }
  })
}

type Caller = { readonly organizationId: OrganizationId; readonly userId: UserId; readonly ids: Ids }

/** Counts what a page has, and the rows that were read for it. */
async function readPage(route: Route, filter: object, { organizationId, userId, ids }: Caller) {
  const org = await membershipOf({ kind: 'user', userId } as Person, { kind: 'organization', id: organizationId })
  return inSnapshot(organizationId, async (read) => {
    await read(sql`select set_config('enable_seqscan', 'off', true)`) // as for more rows than there are
    const count = async () => {
      const [row] = await read<{ rows: string }>(sql`
        select sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) as rows from pg_stat_xact_user_tables`)
      return Number(row?.rows)
    }
    const actor = { kind: 'user', userId }
    const context = { read, query: parse(route.query!, filter), params: ids, org, person: actor, actor }
    const before = await count()
    const { data } = (await route.handle(context as unknown as AnyContext)) as { data: unknown[] }
    return { found: data.length, rows: (await count()) - before }
  })
}

afterAll(deleteClones)

test('a filter that finds nothing reads few rows, or is listed with the reason', async () => {
  const { ids, boss } = await world()
  const caller = { ids, organizationId: ids['organization_id'] as OrganizationId, userId: boss.userId as UserId }
  await insertClones(caller.organizationId, ROWS)
  const lists = routes.filter((route) => route.method === 'get' && route.owner && entriesOf(route)['cursor'])
  const filters = lists.flatMap(filtersOf)
  expect(filters.length).toBeGreaterThan(50)
  const readsAll: Record<string, string[]> = {}
  for (const { route, name, values } of filters) {
    expect(values, `${route.operationId} ${name}`).not.toEqual([])
    let most = 0
    for (const value of values) {
      const { found, rows } = await readPage(route, { [name]: value }, caller)
      if (found === 0) most = Math.max(most, rows)
    }
    if (most > MOST) (readsAll[route.operationId] ??= []).push(name)
  }
  const named = (of: Readonly<Record<string, object>>) =>
    Object.entries(of).flatMap(([operation, names]) => Object.values(names).map((name) => `${operation} ${name}`))
  const known = Object.entries(READS_ALL).map(([operation, reasons]) => [operation, Object.keys(reasons)] as const)
  expect(named(readsAll).toSorted()).toEqual(named(Object.fromEntries(known)).toSorted())
})
