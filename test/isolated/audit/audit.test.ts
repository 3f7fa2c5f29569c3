import { describe, expect, test } from 'vitest'
import { administer } from '../../../admin.ts'
import { api, approvalPath, approve, createPayment, fund, payerAndPayee, paymentBody } from '../../support/api.ts'
import { statusOf } from '../../support/approvals/approvals.ts'
import { alterEntry, findingsOf, runScheduled } from '../../support/ledger/books.ts'
import { owner } from '../../support/database.ts'
import { useWorker } from '../../support/worker.ts'

useWorker({ whole: true })
const admin = (...words: string[]) => administer(words)
const integrity = async (by: { token: string }, id: string) =>
  (await api('GET', `/organizations/${id}/ledger/integrity`, { token: by.token })).body
const eventsOf = (id: string) => owner<{ type: string; actor_kind: string }[]>`
  select type, actor_kind from events where subject_id = ${id} and type like '%books%' order by id`

describe('books with a fault', () => {
  test('stop all new money of their organization until an operator resumes them; what is under way and what comes in goes on', async () => {
    const { boss, payer, payee, contactId } = await payerAndPayee('100.00')
    const waiting = await createPayment(boss, contactId, '5.00')
    const another = await createPayment(boss, contactId, '6.00')
    const done = await createPayment(boss, contactId, '7.00')
    await approve(boss, done)
    await expect.poll(() => statusOf(done.id)).toBe('succeeded')
    expect((await integrity(boss, payer.id)).ok).toBe(true)
    await alterEntry(payer.id, '0.01')
    expect((await runScheduled('ledger-audit')).faulty).toBeGreaterThan(0)
    const found = await findingsOf(payer.id)
    const checks = ['balance_differs_from_entries', 'running_balance_wrong', 'transfer_not_zero']
    expect(found.map(({ check_name }) => check_name)).toEqual(expect.arrayContaining(checks))
    expect((await integrity(boss, payer.id)).violations).toHaveLength(found.length)
    expect(await admin('books', 'findings')).toContain(`organization ${payer.id}: ledger balance_differs_from_entries`)
    expect(await eventsOf(payer.id)).toEqual([{ type: 'organization.books_stopped', actor_kind: 'worker' }])
    const created = await api('POST', '/payments', { token: boss.token, body: paymentBody(contactId, '1.00') })
    const approved = await approve(boss, waiting)
    for (const refused of [created, approved]) {
      expect([refused.status, refused.body.error.type]).toEqual([503, 'ledger_unbalanced'])
      expect(refused.headers.get('retry-after')).toBe('300')
    }
    expect(await statusOf(waiting.id)).toBe('awaiting_approval')
    await fund(payer.id, '1.00')
    const stopped = await api('POST', `${approvalPath(another)}/reject`, { token: boss.token, body: {} })
    expect([stopped.status, stopped.body.status]).toEqual([200, 'rejected'])
    expect((await api('GET', `/organizations/${payer.id}/balances`, { token: boss.token })).status).toBe(200)
    const metrics = (await api('GET', '//metrics')).body as string
    expect(metrics).toMatch(/audit_findings_open\{kind="ledger"\} [1-9]/)
    expect(metrics).toMatch(/organizations_with_books_stopped [1-9]/)
    expect(await findingsOf(payee.id)).toEqual([]) // its own books are right; the transfer is reported once, elsewhere
    // the fault is still there: after the resumption the next audit stops them again
    expect(await admin('books', 'resume', payer.id)).toMatch(/moves money again/)
    await runScheduled('ledger-audit')
    expect((await approve(boss, waiting)).body.error.type).toBe('ledger_unbalanced')
    await alterEntry(payer.id, '-0.01')
    await admin('books', 'resume', payer.id)
    await runScheduled('ledger-audit')
    expect(await findingsOf(payer.id)).toEqual([])
    expect((await approve(boss, waiting)).body.status).toBe('approved')
    await expect.poll(() => statusOf(waiting.id)).toBe('succeeded')
    const types = (await eventsOf(payer.id)).map(({ type }) => type.replace('organization.books_', ''))
    expect(types).toEqual(['stopped', 'resumed', 'stopped', 'resumed'])
  })
})
