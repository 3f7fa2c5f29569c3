/** Operators' commands: on organizations, and on accounts that may be in other hands. */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, inject, test } from 'vitest'
import { administer } from '../../../admin.ts'
import { client } from '../../../temporal/client.ts'
import { api, approve, organization, payerAndPayee, person } from '../../support/api.ts'
import { approvalOf, staffedPayer } from '../../support/approvals/approvals.ts'
import { paymentsOf } from '../../support/approvals/sets.ts'
import { apiKey, revoke, use } from '../../support/organizations/api-keys.ts'
import { staffed } from '../../support/organizations/members.ts'
import { refusal } from '../../support/http/refusals.ts'
import { owner } from '../../support/database.ts'
import { challenged, eventTypes, mailsTo, me, mfa, signIn, withAuthenticator } from '../../support/identity/identity.ts'
import { useWorker } from '../../support/worker.ts'
import { everyNth } from '../../support/model-runs.ts'

useWorker()

const admin = (...words: string[]) => administer(words)
const statusOf = async (id: string) => (await owner`select status from organizations where id = ${id}`)[0]?.['status']
const typesOf = async (id: string) =>
  owner`select type, actor_kind, actor_user_id from events where subject_id = ${id} order by id`.values()
const paymentOf = async ({ id }: { id: string }) =>
  (await owner`select status, status_detail from payments where id = ${id}`)[0]

describe('an operator looks up', () => {
  test('an organization by id, service ID or part of its name, and a person with what they are a member of', async () => {
    const boss = await person()
    const { id } = await organization(boss, 'Looked Up Ltd')
    for (const words of [[id], ['looked', 'up']]) {
      expect(await admin('organization', 'find', ...words)).toMatch(
        new RegExp(`UTC ${id} Looked Up Ltd: active, service ID .*, 1 members$`, 'm'),
      )
    }
    expect(await admin('organization', 'show', id)).toContain('Looked Up Ltd')
    expect(await admin('organization', 'find', 'nothing like it')).toBe(
      'no organization has that id, service ID or name',
    )
    expect(await admin('person', 'show', boss.email)).toContain(`owner of organization ${id} Looked Up Ltd`)
    await expect(admin('person', 'show', 'nobody@example.com')).rejects.toMatchObject({ type: 'not_found' })
  })

  test('a payment, and a run that has ended', async () => {
    const { boss, payer, pay } = await staffedPayer()
    const body = await pay('5.00')
    const show = () => admin('payments', 'show', body.id)
    expect(await show()).toContain(`payment ${body.id} of organization ${payer.id}: awaiting_approval`)
    expect((await approve(boss, body)).status).toBe(200)
    expect(await show()).toMatch(/: succeeded \(.*5\.00\d* USD, approval /)
    await expect
      .poll(() => admin('processes', 'show', body.id))
      .toMatch(new RegExp(`^nothing is open: run payment-${body.id} is completed at .*, succeeded$`))
    await expect(admin('processes', 'show', randomUUID())).rejects.toMatchObject({ type: 'not_found' })
  })

  test('a list by words, under the number of its lines; what is mistyped is answered by how it is written', async () => {
    await staffed()
    const [count, ...lines] = (await admin('offers', 'list')).split('\n')
    expect(count).toBe(`${lines.length}`)
    expect(await admin('offers', 'list', 'no', 'such', 'words')).toBe(`0 of ${lines.length}`)
    await expect(admin('payments', 'show', '12')).rejects.toThrow(
      'That is not understood. It is written: npm run admin -- payments show <id>',
    )
    await expect(admin('nonsense')).rejects.toThrow(/^usage: npm run admin -- organization/)
  })
})

const NOTHING = '0 waiting requests cancelled, 0 API keys revoked'

describe('an organization', () => {
  test('is paused and resumed, banned and let in again, and deleted; each is one event of an operator', async () => {
    const { boss, id } = await staffed()
    const steps = [
      ['pause', 'paused', 200],
      ['resume', 'active', 200],
      ['ban', 'banned', 404],
      ['unban', 'active', 200],
      ['pause', 'paused', 200],
      ['delete', 'deleted', 404],
    ] as const
    for (const [command, status, seen] of steps) {
      expect(await admin('organization', command, id)).toBe(`organization ${id} is ${status}: ${NOTHING}`)
      const read = await api('GET', `/organizations/${id}`, { token: boss.token })
      expect([await statusOf(id), read.status]).toEqual([status, seen])
    }
    const logged = ['paused', 'resumed', 'banned', 'unbanned', 'paused', 'deleted']
    expect(await typesOf(id)).toEqual(logged.map((name) => [`organization.${name}`, 'admin', null]))
  })

  test('five bans at once are one', async () => {
    const { id } = await staffed()
    const bans = await Promise.allSettled(Array.from({ length: 5 }, () => admin('organization', 'ban', id)))
    expect(bans.filter((ban) => ban.status === 'fulfilled')).toHaveLength(1)
    expect(await typesOf(id)).toHaveLength(1)
  })
})

describe('what stops with an organization', () => {
  test.each(everyNth(['ban', 'delete'] as const, 2))(
    '%s cancels what waits for approval, as no pause does, and lets what was approved finish; the workflows end',
    async (command) => {
      const { boss, payer, payee, contactId } = await payerAndPayee('5.00')
      const [approved, ...waiting] = await paymentsOf(boss, contactId, ['5.00', '6.00', '7.00'])
      expect((await approve(boss, approved)).status).toBe(200)
      expect(await admin('organization', 'pause', payer.id)).toContain(NOTHING)
      const line = await admin('organization', command, payer.id)
      expect(line).toContain('2 waiting requests cancelled')
      const detail = command === 'ban' ? 'organization banned' : 'organization deleted'
      for (const payment of waiting) {
        expect(await paymentOf(payment)).toEqual({ status: 'cancelled', status_detail: detail })
        const [decision] = await owner`
          select decision, user_id, comment, approval_status from approval_decisions
          where approval_id = ${payment.approval_request_id}`
        expect(decision).toEqual({ decision: 'cancel', user_id: null, comment: detail, approval_status: 'cancelled' })
      }
      await expect.poll(async () => (await paymentOf(approved))?.['status']).toBe('succeeded')
      const [balance] = await owner`
        select sum(amount) as received from transactions where organization_id = ${payee.id} and direction = 'in'`
      expect(Number(balance?.['received'])).toBe(5)
      for (const payment of waiting) {
        const run = client.workflow.getHandle(`payment-${payment.id}`)
        await expect.poll(async () => (await run.describe()).status.name).toBe('COMPLETED')
      }
    },
  )

  test('does not come back when a ban is lifted; what began while it came stops then', async () => {
    const { boss, payer, contactId } = await payerAndPayee('100.00')
    const [payment, late] = await paymentsOf(boss, contactId, ['6.00', '7.00'])
    await admin('organization', 'ban', payer.id)
    // as if its creation had read the organization before the ban and written after it
    await owner`update approvals set status = 'pending' where id = ${late.approval_request_id}`
    await owner`update payments set status = 'awaiting_approval' where id = ${late.id}`
    expect(await admin('organization', 'unban', payer.id)).toContain('1 waiting requests cancelled')
    for (const one of [payment, late]) expect((await approvalOf(one, boss)).status).toBe('cancelled')
  })

  test.each(everyNth(['ban', 'delete'] as const, 2))(
    '%s revokes the keys for good, as no pause does; another organization keeps its own',
    async (command) => {
      const [{ boss, id }, other] = [await staffed(), await staffed()]
      const [one, two] = [await apiKey(boss, id), await apiKey(boss, id)]
      const kept = await apiKey(other.boss, other.id)
      await revoke(boss, await apiKey(boss, id)) // before
      expect(await admin('organization', 'pause', id)).toContain(NOTHING)
      expect(await admin('organization', command, id)).toContain('2 API keys revoked')
      expect(await typesOf(one.id)).toContainEqual(['api_key.revoked', 'admin', null])
      for (const key of [one, two])
        expect(refusal(await use(key.secret, id))).toEqual([403, 'organization_unavailable'])
      expect((await use(kept.secret, other.id)).status).toBe(200)
      if (command === 'delete') return
      await admin('organization', 'unban', id)
      for (const key of [one, two]) expect(refusal(await use(key.secret, id))).toEqual([401, 'invalid_api_key'])
    },
  )

  test('a ban among 10 approvals leaves each payment approved for good or cancelled, and no money between', async () => {
    const { boss, payer, contactId } = await payerAndPayee('100.00')
    const payments = await paymentsOf(boss, contactId, Array<string>(10).fill('1.00'))
    const [answers] = await Promise.all([
      Promise.all(payments.map((payment) => approve(boss, payment))),
      admin('organization', 'ban', payer.id),
    ])
    for (const [index, payment] of payments.entries()) {
      const ends = answers[index]?.status === 200 ? ['succeeded'] : ['succeeded', 'cancelled']
      await expect.poll(async () => ends.includes((await paymentOf(payment))?.['status'])).toBe(true)
    }
  })
})

describe('a person', () => {
  test('is signed out everywhere, asked for every proof again, and told so', async () => {
    const somebody = await withAuthenticator()
    const other = await person()
    const { challenge_token } = (await signIn(somebody.email, somebody.password, { remember_me: true })).body
    const trusted = await mfa(challenge_token, await somebody.code())
    const open = await challenged(somebody)
    expect(await admin('person', 'end-sessions', somebody.email.toUpperCase())).toMatch(/: 2 sessions ended$/)
    for (const token of [somebody.token, trusted.body.token]) expect((await me(token)).status).toBe(401)
    expect((await me(other.token)).status).toBe(200)
    expect((await mfa(open, await somebody.code(1))).body.status).toBe('challenge_expired')
    const { device_id, trust_token } = trusted.body
    const again = await signIn(somebody.email, somebody.password, { device_id, trust_token })
    expect(again.body.status).toBe('mfa_required')
    const back = await mfa(again.body.challenge_token, await somebody.code(1))
    expect(back.body.status).toBe('authenticated')
    const types = await eventTypes(back.body.token)
    expect(types.filter((type) => type === 'sessions.ended_by_operator')).toHaveLength(1)
    expect(types.filter((type) => type === 'session.ended')).toHaveLength(2)
    expect((await mailsTo(somebody.email)).map(({ subject }) => subject)).toContain('You were signed out everywhere')
  })
})

describe('the command line', () => {
  const run = promisify(execFile)
  const command = (...words: string[]) => run(process.execPath, [join(inject('compiledService'), 'admin.js'), ...words])

  test('prints one line and succeeds; or says what is refused, and fails', async () => {
    const { id } = await staffed()
    expect(await command('organization', 'pause', id)).toMatchObject({
      stdout: `organization ${id} is paused: 0 waiting requests cancelled, 0 API keys revoked\n`,
      stderr: '',
    })
    await expect(command('organization', 'pause', id)).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'refused: invalid_state {"current":"paused","allowed":["resume","ban","delete"]}\n',
    })
  })

  test.each([
    [],
    ['organization'],
    ['organization', 'erase', randomUUID()],
    ['organization', 'ban', 'x'],
    ['person'],
    ['person', 'reset-factors', 'somebody@example.com'],
    ['processes'],
    ['processes', 'show'],
    ['processes', 'restart', 'payment-x'],
    ['processes', 'end', randomUUID()],
    ['payments', 'fail', randomUUID(), 'it is\u202egone'],
    ['adjustments', 'propose', 'ada@example.com', '12345', randomUUID(), 'a code of five digits'],
  ])('says how it is used: %j', async (...words) => {
    await expect(administer(words.flat())).rejects.toThrow(
      /^(usage|That is not understood\. It is written): npm run admin/,
    )
  })
})
