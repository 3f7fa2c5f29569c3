/** Names that may be listed: asked until there is an answer, and decided by two operators, never by the matcher. */
import { expect, test } from 'vitest'
import type { OrganizationId } from '../../../domain/ids.ts'

process.env['SANDBOX_PARTNERS'] = 'screening'
process.env['PARTNER_POLL_SECONDS'] = '0.05'
const { administer } = await import('../../../admin.ts')
const { asSystem } = await import('../../../db/postgres/sql.ts')
const { api, approve, createPayment, fund, payerAndPayee } = await import('../../support/api.ts')
const { owner } = await import('../../support/database.ts')
const { operator, refusal } = await import('../../support/ledger/adjustments.ts')
const { usePartners } = await import('../../support/partners/partners.ts')
const { become, outgoing, read } = await import('../../support/payments/payouts.ts')
const { eventTypes } = await import('../../support/identity/identity.ts')
const { answersOf, decide, payeeNamed, rename, screeningsOf, statusesOf } =
  await import('../../support/screening/screenings.ts')
const { quoteOf } = await import('../../support/payments/quotes.ts')
const { useWorker } = await import('../../support/worker.ts')

usePartners()
useWorker()

const misbehave = (fault: string, times: number) => owner`
  insert into sandbox_faults (partner, fault, times) values ('watch', ${fault}, ${times})
  on conflict (partner, fault) do update set times = ${times}`
const ownNames = async (contact: string) =>
  (await screeningsOf(contact)).filter(({ status }) => status !== 'superseded')

test('a name that no list has is clear, and a payment to it is ordered', async () => {
  const at = await payeeNamed('Clear Trading')
  expect(new Set((await answersOf(at.contact)).filter((status) => status !== 'superseded'))).toEqual(new Set(['clear']))
  await fund(at.payer.id, '900.00', 'EUR')
  const payer = { ...at, rail: 'fiat' as const }
  const payment = await outgoing(payer)
  expect((await approve(at.boss, payment)).status).toBe(200)
  await become(payer, payment, 'succeeded')
})

test('a possible match waits for two operators who say the same: cleared, the payment that waited is ordered', async () => {
  const at = await payeeNamed('Clear Before')
  await answersOf(at.contact)
  await fund(at.payer.id, '900.00', 'EUR')
  const payer = { ...at, rail: 'fiat' as const }
  const payment = await outgoing(payer)
  await misbehave('down', 100_000) // until the payment is approved
  await rename(at.boss, at.contact, 'Listed Trading')
  expect((await approve(at.boss, payment)).status).toBe(200)
  await owner`delete from sandbox_faults where partner = 'watch'`
  expect(await answersOf(at.contact)).toContain('possible')
  const [match] = (await screeningsOf(at.contact)).filter(({ status }) => status === 'possible')
  expect(match).toMatchObject({ score: 95, editions: 'sandbox 1' })
  expect((await read(payer, payment)).status).toBe('submitted')
  const [one, two] = [await operator(), await operator()]
  expect(await decide(one, 'clear', match!.id, 'another', 'company')).toContain(
    `${one.email} proposes to clear: another company`,
  )
  expect(await refusal(decide(one, 'clear', match!.id, 'again'))).toBe('requester_cannot_approve')
  expect(await statusesOf(at.contact)).toContain('possible')
  expect(await decide(two, 'clear', match!.id, 'seen')).toContain(`is cleared`)
  await become(payer, payment, 'succeeded')
  expect(await eventTypes(one.token)).toContain('screening.proposed')
  expect(await eventTypes(two.token)).toContain('screening.decided')
  expect(await refusal(decide(one, 'confirm', match!.id, 'late'))).toBe('invalid_state')
})

test('a confirmed match fails the payment that waited, gives its money back, and holds the payee under any other name', async () => {
  const at = await payeeNamed('Clear Afterwards')
  await answersOf(at.contact)
  await fund(at.payer.id, '900.00', 'EUR')
  const payer = { ...at, rail: 'fiat' as const }
  const payment = await outgoing(payer)
  await misbehave('down', 100_000)
  await rename(at.boss, at.contact, 'Listed Trading')
  expect((await approve(at.boss, payment)).status).toBe(200)
  await owner`delete from sandbox_faults where partner = 'watch'`
  await answersOf(at.contact)
  const [match] = (await screeningsOf(at.contact)).filter(({ status }) => status === 'possible')
  const [one, two] = [await operator(), await operator()]
  await decide(one, 'clear', match!.id, 'looks', 'honest')
  expect(await decide(two, 'confirm', match!.id, 'it', 'is', 'them')).toContain(`${two.email} proposes to confirm`)
  expect(await statusesOf(at.contact)).toContain('possible') // one against one decides nothing
  await decide(one, 'confirm', match!.id, 'agreed')
  expect(await become(payer, payment, 'failed')).toMatchObject({ status_detail: 'payee held' })
  const { body } = await api('GET', `/organizations/${at.payer.id}/balances`, { token: at.boss.token })
  expect(JSON.stringify(body)).toContain('900.00')
  await rename(at.boss, at.contact, 'Clear Again')
  const quote = await quoteOf(at.boss, at.contact, { amount: '10.00', currency: 'EUR' })
  expect(quote.blocked_by).toEqual([expect.objectContaining({ type: 'payee_held' })])
  expect(quote.blocked_by[0].message).toContain('The service is checking this payee')
  expect(await statusesOf(at.contact)).toContain('confirmed')
})

test('two operators at once: one proposes, the other decides, and nothing is lost', async () => {
  const at = await payeeNamed('Listed Twice')
  await answersOf(at.contact)
  const [match] = (await screeningsOf(at.contact)).filter(({ status }) => status === 'possible')
  const [one, two] = [await operator(), await operator()]
  const said = await Promise.all([decide(one, 'clear', match!.id, 'a'), decide(two, 'clear', match!.id, 'b')])
  expect(said.filter((line) => line.includes('is cleared')).length).toBeGreaterThanOrEqual(1)
  const [row] = await owner`select status, proposed_by <> decided_by as apart from screenings where id = ${match!.id}`
  expect(row).toEqual({ status: 'cleared', apart: true })
})

test('a connection that is away, slow or unclear is asked again; each name is answered once', async () => {
  for (const name of ['down', 'error', 'rate_limited', 'malformed']) await misbehave(name, 1)
  const at = await payeeNamed('Clear Patience')
  expect(new Set((await answersOf(at.contact)).filter((status) => status !== 'superseded'))).toEqual(new Set(['clear']))
  const events = await owner`
    select e.subject_id from events e join screenings s on s.id = e.subject_id
    where s.payment_contact_id = ${at.contact} and e.type in ('screening.passed', 'screening.held')
    group by 1 having count(*) > 1`
  expect(events.length).toBe(0)
})

test('the same name is asked once, and a clear answer of the last 30 days holds for another payee', async () => {
  const at = await payeeNamed('Clear Once')
  await answersOf(at.contact)
  const before = (await ownNames(at.contact)).length
  await rename(at.boss, at.contact, 'CLEAR ONCE')
  expect((await ownNames(at.contact)).length).toBe(before + 1) // the same question: known, and not asked
  expect((await screeningsOf(at.contact)).at(-1)).toMatchObject({ status: 'clear', asks: 0 })
  const [asked] = await owner<{ count: number }[]>`
    select count(*)::int as count from events e join screenings s on s.id = e.subject_id
    where s.id = ${(await screeningsOf(at.contact)).at(-1)!.id}`
  expect(asked).toEqual({ count: 0 })
})

test('operators see names by one command alone; events, runs and lists name nobody', async () => {
  const at = await payeeNamed('Listed Secretly')
  await answersOf(at.contact)
  const [match] = (await screeningsOf(at.contact)).filter(({ status }) => status === 'possible')
  expect(await administer(['screening', 'list', match!.id])).not.toContain('Secretly')
  const whole = await administer(['screening', 'show', match!.id])
  expect(whole).toContain('asked: Listed Secretly')
  expect(whole).toContain('Listed Trading, number S-1 of the sandbox: It begins with Listed.')
  const events = await owner`select payload from events where subject_id = ${match!.id}`
  expect(JSON.stringify(events)).not.toContain('Listed')
  const [stored] = await owner<{ text: string }[]>`select s::text as text from screenings s where id = ${match!.id}`
  expect(stored?.text).not.toContain('Secretly')
})

test('a payee by service ID waits for its answer at its approval, and is settled after it', async () => {
  await misbehave('down', 100_000)
  const { boss, contactId } = await payerAndPayee()
  const payment = await createPayment(boss, contactId)
  expect((await approve(boss, payment)).body.error).toMatchObject({ type: 'payee_held' })
  await owner`delete from sandbox_faults where partner = 'watch'`
  await answersOf(contactId)
  expect((await approve(boss, payment)).status).toBe(200)
  expect((await api('GET', `/payments/${payment.id}`, { token: boss.token })).body.status).toBe('succeeded')
})

test('another organization sees and decides nothing of it', async () => {
  const at = await payeeNamed('Listed Elsewhere')
  await answersOf(at.contact)
  const stranger = await payerAndPayee('0')
  const seen = await asSystem(stranger.payer.id as OrganizationId, async (tx) => [
    ...(await tx`select id from screenings where payment_contact_id = ${at.contact}`),
  ])
  expect(seen).toEqual([])
})
