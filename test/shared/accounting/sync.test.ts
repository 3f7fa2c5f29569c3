import { expect, test } from 'vitest'
import { takeCall } from '../../../services/accounting/lease.ts'
import { accounting as steps, main, rows as pages } from '../../../activities/index.ts'
import { viewAccountingSync } from '../../../services/accounting/view.ts'
import { giveUpSync } from '../../../services/accounting/steps.ts'
import { noteUnreachable, pauseRun } from '../../../services/accounting/sync-runs.ts'
import { asSystem, readerOf } from '../../../db/postgres/sql.ts'
import type { OrganizationId, SyncRunId } from '../../../domain/ids.ts'
import type { Money } from '../../../domain/money/money.ts'
import {
  MAPPED,
  accounting,
  connectBooks,
  idle,
  isOver,
  itemsIn,
  mapped,
  runsOf,
  synced,
} from '../../support/accounting/accounting.ts'
import { api, approve, fund, organization, payerAndPayee, person } from '../../support/api.ts'
import { billingContact } from '../../support/billing-contacts.ts'
import { requestPayment, typedBill } from '../../support/bills/bills.ts'
import { owner } from '../../support/database.ts'
import { expectRefusal, refusal } from '../../support/http/refusals.ts'
import { allocate, received, sentInvoice, takeBack } from '../../support/invoices/allocations.ts'
import { readInvoice } from '../../support/invoices/invoices.ts'
import { everyNth, longTest } from '../../support/model-runs.ts'
import { fault, usePartners } from '../../support/partners/partners.ts'
import { moveOrganization } from '../../support/organizations/status.ts'
import { oneOfEach } from '../../support/swaps.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'

usePartners()
useWorker()

const boss = await person({ authenticator: true })

type Posted = { readonly [member in 'id' | 'type' | 'direction']: string } & { readonly amount: Money }

const feedOf = async (organizationId: string, { token } = boss): Promise<Posted[]> =>
  (await api('GET', `/organizations/${organizationId}/transactions?limit=100&status=posted`, { token })).body.data

/** Posts `rows` fees to the feed of an organization, as the owner of the database. */
const posted = (organizationId: string, rows: number) => owner`
  insert into transactions (id, organization_id, type, direction, status, amount, currency, running_balance, posted_at, seq)
  select uuidv7(), ${organizationId}, 'fee', 'out', 'posted', i, 'EUR', 0, business_now(), i
  from generate_series(1, ${rows}) i`

/** An organization with `rows` fees and a connection with an account for each kind of them. */
async function connected(rows: number, accounts: object = MAPPED) {
  const { id } = await organization(boss)
  const { tenant_id: tenantId } = await connectBooks(boss, id)
  await idle(boss, id)
  await posted(id, rows)
  await mapped(boss, id, accounts)
  return { id, tenantId }
}
const referencesIn = async (tenantId: string): Promise<string[]> =>
  (await itemsIn(tenantId, 'BankTransactions')).map((body) => body.Reference).toSorted()
const idsOf = async (organizationId: string): Promise<string[]> =>
  (await feedOf(organizationId)).map(({ id }) => id).toSorted()

test('mapping options are the same bytes for everybody, connected or not, and may be kept for five minutes', async () => {
  const { id } = await connected(0)
  const stranger = await person()
  const other = await organization(stranger)
  const path = (of: string) => `/organizations/${of}/integrations/accounting/mapping-options`
  const mine = await api('GET', path(id), { token: boss.token })
  const theirs = await api('GET', path(other.id), { token: stranger.token })
  expect(JSON.stringify(mine.body)).toBe(JSON.stringify(theirs.body))
  const etag = mine.headers.get('etag') ?? ''
  expect([mine.headers.get('cache-control'), etag]).toEqual(['private, max-age=300', theirs.headers.get('etag')])
  const known = await api('GET', path(other.id), { token: stranger.token, headers: { 'if-none-match': etag } })
  expect([known.status, known.body]).toEqual([304, ''])
  expect(Object.keys(mine.body)).toEqual(['card_categories', 'other_mapping_types'])
  const types = mine.body.other_mapping_types
  for (const option of types)
    expect(Object.values(option).map((one) => typeof one)).toEqual(['string', 'string', 'string'])
  expect(new Set(types.map(({ type }: { type: string }) => type)).size).toBe(types.length)
  expect(new Set(mine.body.card_categories).size).toBe(mine.body.card_categories.length)
})

test('mappings are replaced as a whole, and what is wrong with one refuses all, by its field', async () => {
  const { id } = await organization(boss)
  const put = (mappings: unknown) => accounting(boss, id, 'PUT', 'mappings', { mappings })
  const own = [
    { mapping_type: 'card_category', source_value: 'software', account_code: '463' },
    { mapping_type: 'bank_fees', account_code: '404' },
  ]
  const { body } = await put(own)
  expect(body).toEqual({
    data: [
      { mapping_type: 'bank_fees', source_value: null, account_code: '404', account_name: null },
      { mapping_type: 'card_category', source_value: 'software', account_code: '463', account_name: null },
    ],
    has_more: false,
    next_cursor: null,
  })
  const code = { account_code: '400' }
  const WRONG: [object[], string, number][] = [
    [[own[1] ?? {}, { mapping_type: 'card_category', source_value: 'unheard of', ...code }], 'source_value', 1],
    [[own[1] ?? {}, { mapping_type: 'bank_fees', ...code }], 'mapping_type', 1],
    [[own[0] ?? {}, { ...own[0], ...code }], 'source_value', 1],
  ]
  for (const [mappings, field, index] of WRONG) {
    expectRefusal(await put(mappings), 'invalid_mapping', { field, index })
  }
  expect((await put([{ mapping_type: 'bank_fees' }])).status).toBe(400)
  expect((await accounting(boss, id, 'GET', 'mappings')).body).toEqual(body)
  expect((await put([{ mapping_type: 'bank_fees', account_code: '429' }])).body.data).toHaveLength(1)
  expect((await put([])).body.data).toEqual([])
  const changes = await owner`
    select payload::jsonb -> 'changed' as changed from events
    where organization_id = ${id} and type = 'accounting_mappings.changed' order by occurred_at, id`
  expect(changes.map(({ changed }) => changed)).toEqual([
    ['bank_fees', 'card_category:software'],
    ['bank_fees', 'card_category:software'],
    ['bank_fees'],
  ])
})

test('every posted transaction is in the books once, under its id, in the account of its currency and against what it is', async () => {
  const { payer, boss: payerBoss } = await payerAndPayee('1000.00')
  await oneOfEach(payerBoss, payer.id)
  const { tenant_id: tenantId } = await connectBooks(payerBoss, payer.id)
  await idle(payerBoss, payer.id)
  await mapped(payerBoss, payer.id)
  await owner`
    update transactions set posted_at = posted_at - interval '40 days' where organization_id = ${payer.id} and type = 'deposit'`
  const run = await synced(payerBoss, payer.id)
  expect(run).toMatchObject({ status: 'completed', failure: null, failed: 0 })
  const feed = await feedOf(payer.id, payerBoss)
  const inBooks = await itemsIn(tenantId, 'BankTransactions')
  expect(inBooks.map((one) => one.Reference).toSorted()).toEqual(feed.map(({ id }) => id).toSorted())
  const SIDES: Record<string, string> = { deposit: '835', swap: '429', payment: '429' }
  for (const { id, type, direction, amount } of feed) {
    expect(inBooks.find((one) => one.Reference === id)).toMatchObject({
      Type: direction === 'in' ? 'RECEIVE' : 'SPEND',
      CurrencyCode: amount.currency,
      Total: Number(amount.amount),
      BankAccount: { Code: amount.currency === 'USD' ? '091' : '090' },
      LineItems: [{ AccountCode: SIDES[type] }],
      Status: 'AUTHORISED',
    })
  }
  expect(await synced(payerBoss, payer.id)).toMatchObject({ pushed: 0, skipped: 0, failed: 0, errors: [] })
  expect(await itemsIn(tenantId, 'BankTransactions')).toHaveLength(inBooks.length)
  const [first] = (await runsOf(payerBoss, payer.id)).toReversed()
  expect(first).toMatchObject({ trigger: 'connect', requested_by: payerBoss.userId })
})

test('a bill and an invoice that are paid are in the books, and paid there from the account that the money went through', async () => {
  const seller = { boss, id: (await organization(boss)).id, contactId: '' }
  seller.contactId = (await billingContact(boss, seller.id, { emails: null, company_name: 'Lindenhof GmbH' })).id
  await fund(seller.id, '100.00', 'EUR')
  const bill = await typedBill(boss, seller.id, { amount: '7.00', bill_number: 'R-1' })
  const { body: requested } = await requestPayment(boss, bill.id)
  await approve(boss, requested)
  const invoice = await sentInvoice(seller, '50.00')
  const open = await sentInvoice(seller, '60.00')
  const parts = [await received(seller, '20.00'), await received(seller, '30.00')]
  for (const [index, amount] of ['20.00', '30.00'].entries())
    expect((await allocate(boss, invoice.id, parts[index] ?? '', amount)).status).toBe(201)
  expect((await readInvoice(boss, invoice.id)).state).toBe('paid')
  await until('the bill is paid', async () => {
    const [row] = await owner`select status from payments where id = ${requested.fiat_outgoing_id}`
    return row?.['status'] === 'succeeded'
  })
  const { tenant_id: tenantId } = await connectBooks(boss, seller.id)
  await mapped(boss, seller.id)
  const runs = [await synced(boss, seller.id), await synced(boss, seller.id)]
  expect(runs).toMatchObject([1, 2].map(() => ({ failed: 0, skipped: 0 })))
  const documents = await itemsIn(tenantId, 'Invoices')
  expect(documents.map(({ Type, Status, Total, AmountDue }) => ({ Type, Status, Total, AmountDue }))).toEqual(
    expect.arrayContaining([
      { Type: 'ACCPAY', Status: 'PAID', Total: 7, AmountDue: 0 },
      { Type: 'ACCREC', Status: 'PAID', Total: 50, AmountDue: 0 },
    ]),
  )
  expect(documents).toHaveLength(2)
  expect(documents.map((one) => one.Reference)).not.toContain(open.id)
  expect(documents.find(({ Type }) => Type === 'ACCPAY')).toMatchObject({ InvoiceNumber: 'R-1' })
  const payments = await itemsIn(tenantId, 'Payments')
  expect(payments.map(({ Amount, Account }) => `${Amount} ${Account.Code}`).toSorted()).toEqual([
    '20 835',
    '30 835',
    '7 620',
  ])
  const inBooks = await itemsIn(tenantId, 'BankTransactions')
  expect(inBooks.find(({ Total }) => Total === 7)).toMatchObject({ Type: 'SPEND', LineItems: [{ AccountCode: '620' }] })
})

test('what has no account yet is skipped and listed, and is posted by the next sync once it has one', async () => {
  const { bank_account_eur: _, ...rest } = MAPPED
  const { id, tenantId } = await connected(2, rest)
  const run = await synced(boss, id)
  expect(run).toMatchObject({ status: 'completed', pushed: 0, skipped: 2, failed: 0 })
  expect(run.errors).toHaveLength(2)
  for (const error of run.errors)
    expect(error).toMatchObject({ kind: 'transaction', code: 'unmapped', mapping_type: 'bank_account_eur' })
  expect(run.errors.map((error) => error.id).toSorted()).toEqual(await idsOf(id))
  expect(await synced(boss, id)).toMatchObject({ pushed: 0, skipped: 2 })
  await mapped(boss, id)
  expect(await synced(boss, id)).toMatchObject({ pushed: 2, skipped: 0, errors: [] })
  expect(await referencesIn(tenantId)).toEqual(await idsOf(id))
})

longTest(
  'an invoice that had no account, and is open again by the time it has one, is not posted until it is paid',
  async () => {
    const { billing_invoices: _, ...rest } = MAPPED
    const { id, tenantId } = await connected(0, rest)
    const contactId = (await billingContact(boss, id, { emails: null, company_name: 'Lindenhof GmbH' })).id as string
    const invoice = await sentInvoice({ boss, id, contactId }, '50.00')
    const money = await received({ id }, '50.00')
    const allocated = await allocate(boss, invoice.id, money, '50.00')
    expect(await synced(boss, id)).toMatchObject({ pushed: 1, skipped: 1 })
    expect((await takeBack(boss, invoice.id, allocated.body.id)).status).toBe(200)
    await mapped(boss, id)
    expect(await synced(boss, id)).toMatchObject({ pushed: 0, skipped: 0 })
    await allocate(boss, invoice.id, money, '50.00')
    expect(await synced(boss, id)).toMatchObject({ pushed: 1, skipped: 0 })
    expect(await itemsIn(tenantId, 'Invoices')).toMatchObject([{ Status: 'PAID', Total: 50, Reference: invoice.id }])
  },
)

test('what Xero refuses of a set is listed with its words, keeps nothing else out, and is tried again by the next sync', async () => {
  const { id, tenantId } = await connected(5)
  await fault('accounting', 'partial_failure')
  const run = await synced(boss, id)
  expect(run).toMatchObject({ status: 'completed', pushed: 3, failed: 2 })
  expect(run.errors).toEqual([
    expect.objectContaining({ code: 'rejected', message: expect.stringContaining('does not take this') }),
    expect.objectContaining({ code: 'rejected' }),
  ])
  expect(await synced(boss, id)).toMatchObject({ pushed: 2, failed: 0 })
  expect(await referencesIn(tenantId)).toEqual(await idsOf(id))
  await mapped(boss, id, { ...MAPPED, bank_account_eur: '091' }) // in another currency
  await posted(id, 1)
  const wrong = await synced(boss, id)
  expect(wrong).toMatchObject({ pushed: 0, failed: 1 })
  expect(wrong.errors[0]?.message).toContain('currency')
})

const FAULTS = ['ambiguous', 'down', 'error', 'malformed', 'slow', 'rate_limited', 'expired_token'] as const

test.each(everyNth(FAULTS, 7))(
  'Xero is %s in the middle of a sync: it goes on, and everything is there once',
  async (name) => {
    const { id, tenantId } = await connected(30) // takes several calls, which meet both faults
    await fault('accounting', name, name === 'slow' ? 1 : 2)
    expect(await synced(boss, id)).toMatchObject({ status: 'completed', pushed: 30, failed: 0, skipped: 0 })
    expect(await referencesIn(tenantId)).toEqual(await idsOf(id))
  },
)

test('a sync that is asked for while one runs is that one, and steps of several processes post nothing twice', async () => {
  const { id, tenantId } = await connected(10)
  const asked = await Promise.all(Array.from({ length: 5 }, () => accounting(boss, id, 'POST', 'sync', {})))
  expect(new Set(asked.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1)
  const ref = { id: asked[0]?.body.id as SyncRunId, organizationId: id as never }
  await Promise.all(Array.from({ length: 4 }, () => steps.readAccounts(ref)))
  await Promise.all(Array.from({ length: 4 }, () => steps.postSyncPage(ref)))
  await idle(boss, id)
  expect(await referencesIn(tenantId)).toEqual(await idsOf(id))
  expect((await runsOf(boss, id))[0]).toMatchObject({ status: 'completed', pushed: 10, trigger: 'manual' })
})

test('a token that is over is refreshed by one process alone, whoever else wants to', async () => {
  const { id } = await connected(1)
  await owner`update accounting_connections set access_expires_at = business_now() where organization_id = ${id}`
  const refreshes = () => owner<{ count: number }[]>`
    select count(*)::int as count from sandbox_accounting_tokens t
    join sandbox_accounting_connections c on c.consent_id = t.consent_id
    join accounting_connections a on a.tenant_id = c.tenant_id::text
    where a.organization_id = ${id} and t.kind = 'refresh'`
  const [before] = await refreshes()
  const { body } = await accounting(boss, id, 'POST', 'sync', {})
  const ref = { id: body.id as SyncRunId, organizationId: id as never }
  await Promise.all(Array.from({ length: 6 }, () => steps.readAccounts(ref)))
  await idle(boss, id)
  const [after] = await refreshes()
  expect([before?.count, after?.count]).toEqual([1, 2])
  expect((await runsOf(boss, id))[0]?.status).toBe('completed')
})

longTest(
  'a sync that is not answered for a day has failed, as one whose organization is paused; until then neither',
  async () => {
    const { id } = await connected(0)
    await idle(boss, id)
    /** A sync without a run. */
    const begun = async (unclearHours: number) => {
      const [row] = await owner<{ id: SyncRunId }[]>`
      insert into accounting_sync_runs (id, organization_id, connection_id, status, trigger, asks, unclear_since, ask_at)
      select gen_random_uuid(), c.organization_id, c.id, 'running', 'schedule', 1,
        business_now() - make_interval(hours => ${unclearHours}), business_now() + interval '1 minute'
      from accounting_connections c where c.organization_id = ${id} returning id`
      if (!row) throw new Error('the sync was written')
      return { id: row.id, organizationId: id as OrganizationId }
    }
    const endings = async (sync: { id: SyncRunId }) =>
      (await runsOf(boss, id)).filter((run) => run.id === sync.id).map(({ status, failure }) => failure?.code ?? status)
    const paused = await begun(23)
    await main.stopSync(paused)
    await main.giveUpSync(paused)
    expect(await endings(paused)).toEqual(['running'])
    await moveOrganization(id as OrganizationId, 'pause')
    const facts = { allowed: false, tried_in_vain: false, accounts_read: false, due: false, step_due: true }
    expect(await viewAccountingSync(readerOf(paused.organizationId), paused.id)).toMatchObject(facts)
    for (let call = 0; call < 2; call += 1) await main.stopSync(paused)
    expect(await endings(paused)).toEqual(['organization_unavailable'])
    await moveOrganization(id as OrganizationId, 'resume')
    const unanswered = await begun(24)
    const { organizationId } = unanswered
    await asSystem(organizationId, (tx) => pauseRun(tx, unanswered.id, 60, 'it takes no more for now'))
    await main.giveUpSync(unanswered) // it was answered
    expect(await endings(unanswered)).toEqual(['running'])
    await asSystem(organizationId, async (tx) => {
      await noteUnreachable(tx, unanswered.id, 'it does not answer')
      // a busy machine takes longer than the pause of tests
      await tx`update accounting_sync_runs set ask_at = business_now() + interval '1 minute' where id = ${unanswered.id}`
      await giveUpSync(tx, unanswered.id) // in one transaction: the run that this wakes would ask, and be answered
    })
    await main.giveUpSync(unanswered)
    expect(await endings(unanswered)).toEqual(['unreachable'])
  },
)

longTest('an invoice that is paid by money that came long ago is in the books by the next sync', async () => {
  const { id, tenantId } = await connected(0)
  const contactId = (await billingContact(boss, id, { emails: null })).id
  const old = await received({ id }, '50.00')
  await owner`update transactions set posted_at = posted_at - interval '40 days' where organization_id = ${id}`
  await synced(boss, id)
  const invoice = await sentInvoice({ boss, id, contactId }, '50.00')
  expect((await allocate(boss, invoice.id, old, '50.00')).status).toBe(201)
  expect(await synced(boss, id)).toMatchObject({ pushed: 1, failed: 0, skipped: 0 })
  const [document] = await itemsIn(tenantId, 'Invoices')
  expect(document).toMatchObject({ Reference: invoice.id, Status: 'PAID' })
})

longTest('what was posted is not posted again by who disconnects, and connects the same books', async () => {
  const { id, tenantId } = await connected(3)
  expect(await synced(boss, id)).toMatchObject({ pushed: 3 })
  await accounting(boss, id, 'POST', 'disconnect', {})
  await isOver(boss, id)
  await posted(id, 1)
  await connectBooks(boss, id, tenantId)
  await idle(boss, id)
  await synced(boss, id)
  expect(await referencesIn(tenantId)).toEqual(await idsOf(id))
  const pushed = (await runsOf(boss, id)).map((run) => run.pushed).reduce((sum, one) => sum + one, 0)
  expect(pushed).toBe(4)
})

longTest(
  'what an earlier sync is still putting is not posted twice by one after a new consent, though it is not found yet',
  async () => {
    const { id, tenantId } = await connected(3)
    await synced(boss, id)
    await accounting(boss, id, 'POST', 'disconnect', {})
    await isOver(boss, id)
    await owner`delete from accounting_items where organization_id = ${id}`
    await owner`
    update sandbox_accounting_items set body = body || '{"Reference": "not found yet"}' where tenant_id = ${tenantId}`
    await connectBooks(boss, id, tenantId)
    await idle(boss, id)
    expect((await runsOf(boss, id))[0]).toMatchObject({ trigger: 'connect', pushed: 3 })
    expect(await referencesIn(tenantId)).toHaveLength(3)
  },
)

longTest('what Xero has refused is put again by the next sync, and not answered with the same refusal', async () => {
  const { id, tenantId } = await connected(2, { ...MAPPED, bank_account_eur: '091' }) // in another currency
  const answers = async () => (await owner`select from sandbox_accounting_answers where tenant_id = ${tenantId}`).length
  for (const count of [1, 2, 3]) {
    expect(await synced(boss, id)).toMatchObject({ pushed: 0, failed: 2 })
    expect(await answers()).toBe(count)
  }
})

test('what is in the books under our id counts as posted, though we have forgotten it', async () => {
  const { id, tenantId } = await connected(3)
  await synced(boss, id)
  await owner`delete from accounting_items where organization_id = ${id}` // a database that was restored
  await owner`update accounting_connections set synced_to = null where organization_id = ${id}`
  expect(await synced(boss, id)).toMatchObject({ pushed: 3 })
  expect(await referencesIn(tenantId)).toEqual(await idsOf(id))
})

test('Xero is asked sixty times in any minute, by all processes together', async () => {
  const tenantId = `calls-${Date.now()}`
  const waits = await Promise.all(Array.from({ length: 100 }, () => takeCall(tenantId)))
  expect(waits.filter((wait) => wait === null)).toHaveLength(60)
  for (const wait of waits) if (wait !== null) expect(wait > 0 && wait <= 60).toBe(true)
  await owner`
    update accounting_calls set made_at = (select array_agg(at - interval '30 seconds' order by at)
      from unnest(made_at[:20]) at) || (select array_agg(at order by at) from unnest(made_at[21:]) at)
    where tenant_id = ${tenantId}`
  expect(await takeCall(tenantId)).not.toBe(null)
  await owner`
    update accounting_calls set made_at = (select array_agg(at - interval '61 seconds' order by at)
      from unnest(made_at[:20]) at) || (select array_agg(at order by at) from unnest(made_at[21:]) at)
    where tenant_id = ${tenantId}`
  const again = await Promise.all(Array.from({ length: 40 }, () => takeCall(tenantId)))
  expect(again.filter((wait) => wait === null)).toHaveLength(20)
})

test('the clock syncs every organization that is connected, and none that is not', async () => {
  const [{ id }, apart] = [await connected(1), await connected(1)]
  await accounting(boss, apart.id, 'POST', 'disconnect', {})
  await pages.beginSyncs({ after: null })
  await idle(boss, id)
  expect((await runsOf(boss, id))[0]).toMatchObject({ trigger: 'schedule', requested_by: null, pushed: 1 })
  expect((await runsOf(boss, apart.id)).map(({ trigger }) => trigger)).not.toContain('schedule')
})

test('without a connection nothing is synced, and a list names its runs page by page', async () => {
  const { id } = await organization(boss)
  expect(refusal(await accounting(boss, id, 'POST', 'sync', {}))).toEqual([409, 'accounting_not_connected'])
  await connectBooks(boss, id)
  await synced(boss, id)
  const first = (await accounting(boss, id, 'GET', 'sync-runs?limit=1')).body
  expect([first.data.length, first.has_more]).toEqual([1, true])
  const second = (await accounting(boss, id, 'GET', `sync-runs?limit=1&cursor=${first.next_cursor}`)).body
  expect(second.data[0].id).not.toBe(first.data[0].id)
})
