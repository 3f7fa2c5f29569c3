import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { withBooks } from '../../../activities/accounting/session.ts'
import { main } from '../../../activities/index.ts'
import { XeroFailure } from '../../../partners/xero-http.ts'
import { moveOrganization } from '../../support/organizations/status.ts'
import type { AccountingConnectionId, OrganizationId } from '../../../domain/ids.ts'
import {
  accounting,
  connectBooks,
  consentAddress,
  consented,
  idle,
  integrationsOf,
  isOver,
  mapped,
  runsOf,
  synced,
} from '../../support/accounting/accounting.ts'
import { type TestPerson, api, join, organization, person } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { refusal } from '../../support/http/refusals.ts'
import { mailsTo } from '../../support/identity/identity.ts'
import { fault, usePartners } from '../../support/partners/partners.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'

usePartners()
useWorker()

const boss = await person({ authenticator: true })
const ours = async () => (await organization(boss)).id

const attentionOf = async (organizationId: string): Promise<object[]> =>
  (await api('GET', `/organizations/${organizationId}/attention?kind=reconnect_accounting`, { token: boss.token })).body
    .data
const eventsOf = async (organizationId: string): Promise<string[]> => {
  const rows = await owner<{ type: string }[]>`
    select type from events where organization_id = ${organizationId} and stream like 'accounting%' order by occurred_at, id`
  return rows.map(({ type }) => type)
}
/** Answers whether the stand-in still has the tenant; revoked consents are gone. */
const isOpenAtXero = async (tenantId: string): Promise<boolean> =>
  (await owner`select from sandbox_accounting_connections where tenant_id = ${tenantId}`).length > 0

test('an address to consent at asks for a step-up, and names the app, a state, a challenge and no more scopes than are used', async () => {
  const id = await ours()
  const path = `/organizations/${id}/integrations/accounting/connect`
  const somebody = await person({ authenticator: true })
  await join(id, somebody, 'admin')
  const connect = (provider: string) => api('POST', path, { token: somebody.token, body: { provider } })
  const asked = await connect('xero')
  expect(refusal(asked)).toEqual([403, 'step_up_required'])
  const { name } = (await api('GET', `/organizations/${id}`, { token: somebody.token })).body
  expect(asked.body.error.step_up.summary).toBe(`Connect the organization "${name}" with an accounting program`)
  const address = new URL(await consentAddress(somebody, id))
  expect(address.pathname).toMatch(/\/identity\/connect\/authorize$/)
  expect(Object.fromEntries(address.searchParams)).toEqual({
    response_type: 'code',
    client_id: expect.any(String),
    redirect_uri: expect.stringMatching(/\/oauth\/accounting\/callback$/),
    scope:
      'offline_access accounting.banktransactions accounting.invoices accounting.payments accounting.contacts accounting.settings.read',
    state: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
  })
  expect(refusal(await connect('sage'))).toEqual([400, 'invalid_request'])
})

test('who comes back with a code is connected: the page says so, and members see with what, since when and by whom', async () => {
  const id = await ours()
  expect(await integrationsOf(boss, id)).toEqual([])
  const back = await consented(await consentAddress(boss, id))
  const page = await api('GET', back)
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=UTF-8'])
  expect(page.body).toContain('Xero is connected')
  expect(page.body).toMatch(/&quot;[^&]+&quot; is connected with &quot;Sandbox Company [^&]+&quot;/)
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(page.headers.get('cache-control')).toBe('no-store')
  const member = await person()
  await join(id, member, 'member')
  expect(await integrationsOf(member, id)).toEqual([
    {
      id: expect.any(String),
      type: 'accounting',
      provider: 'xero',
      status: 'connected',
      needs_reconnect: false,
      tenant_id: expect.any(String),
      tenant_name: expect.stringMatching(/^Sandbox Company/),
      connected_at: expect.any(String),
      connected_by: { id: boss.userId, first_name: 'Test', last_name: 'Person' },
      ended_at: null,
      last_sync: expect.objectContaining({ trigger: 'connect', requested_by: boss.userId }),
    },
  ])
  const [stored] = await owner`
    select encode(c.sealed, 'escape') as tokens, a.used_at from accounting_connections c
    join accounting_authorizations a using (organization_id) where c.organization_id = ${id}`
  expect(stored).toMatchObject({ used_at: expect.anything() })
  expect(stored?.['tokens']).not.toMatch(/access|refresh/)
  // the first sync reads the chart of accounts
  const accounts = await until('accounts', async () => {
    const { body } = await accounting(boss, id, 'GET', 'accounts')
    return body.data.length > 0 && body.data
  })
  const dollars = { code: '091', name: 'US Dollar Account', account_type: 'bank', currency: 'USD' }
  expect(accounts).toContainEqual({ ...dollars, takes_payments: true })
  const codes = accounts.map(({ code }: { code: string }) => code)
  expect(codes).not.toContain('479') // archived
  expect(codes).not.toContain('610') // Xero's own
})

test('a state is good once, also of ten that come back at once', async () => {
  const id = await ours()
  const back = await consented(await consentAddress(boss, id))
  const pages = await Promise.all(Array.from({ length: 10 }, () => api('GET', back)))
  expect(pages.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 422)])
  expect((await eventsOf(id)).filter((type) => type.endsWith('.connected'))).toHaveLength(1)
})

const CALLBACK = '//oauth/accounting/callback'
const backTo = async (id: string, more: Record<string, string> = {}) => consented(await consentAddress(boss, id), more)
const LEFT: [string, number, (id: string) => Promise<string>][] = [
  ['a state that nobody has', 422, async () => `${CALLBACK}?code=x&state=nobody`],
  ['no state at all', 422, async () => CALLBACK],
  ['an address that cannot be', 404, async () => `${CALLBACK}?code=x&state=${'x'.repeat(600)}`],
  ['a person who declined', 200, (id) => backTo(id, { error: 'access_denied' })],
  ['a code of somebody else', 422, async (id) => (await backTo(id)).replace(/code=[^&]+/, 'code=other')],
  [
    'nobody who chose books',
    503,
    async (id) => {
      const back = await backTo(id)
      await fault('accounting', 'down')
      return back
    },
  ],
  [
    'a state of ten minutes ago',
    422,
    async (id) => {
      const back = await backTo(id)
      await owner`
        update accounting_authorizations set expires_at = expires_at - interval '601 seconds' where organization_id = ${id}`
      return back
    },
  ],
]

test.each(LEFT)('%s: %i, a calm page, and nothing is connected', async (_, status, wayBack) => {
  const id = await ours()
  const page = await api('GET', await wayBack(id))
  expect(page.status).toBe(status)
  expect(page.body).toContain('Nothing was connected')
  expect(await integrationsOf(boss, id)).toEqual([])
})

test('who has signed out, may not connect any more, or comes back to a paused organization connects nothing', async () => {
  const id = await ours()
  const backAfter = async (change: (by: TestPerson) => Promise<unknown>): Promise<number> => {
    const by = await person({ authenticator: true })
    await join(id, by, 'admin')
    const back = await consented(await consentAddress(by, id))
    await change(by)
    return (await api('GET', back)).status
  }
  const member = ({ userId }: TestPerson) => owner`organization_id = ${id} and user_id = ${userId}`
  expect([
    await backAfter(({ token }) => api('POST', '/auth/sign-out', { token })),
    await backAfter(async (by) => owner`update members set role = 'member' where ${member(by)}`),
    await backAfter(async (by) => owner`delete from members where ${member(by)}`),
    await backAfter(() => moveOrganization(id as OrganizationId, 'pause')),
  ]).toEqual([422, 403, 403, 403])
  await moveOrganization(id as OrganizationId, 'resume')
  expect(await integrationsOf(boss, id)).toEqual([])
})

test('disconnecting is answered at once, and revoked by and by: nothing of the tokens is left here or there', async () => {
  const id = await ours()
  const disconnect = () => accounting(boss, id, 'POST', 'disconnect', {})
  expect(refusal(await disconnect())).toEqual([409, 'accounting_not_connected'])
  const { tenant_id: tenantId, id: connectionId } = await connectBooks(boss, id)
  await idle(boss, id)
  await fault('accounting', 'down', 2)
  expect(await disconnect()).toMatchObject({ status: 200, body: { status: 'disconnecting' } })
  await isOver(boss, id)
  expect(await isOpenAtXero(tenantId)).toBe(false)
  const [row] = await owner`select status, sealed from accounting_connections where id = ${connectionId}`
  expect(row).toEqual({ status: 'disconnected', sealed: null })
  const tokens = await owner`
    select from sandbox_accounting_tokens t join sandbox_accounting_consents c on c.id = t.consent_id
    where c.person_id = ${tenantId} and t.kind <> 'code'`
  expect(tokens).toEqual([])
  expect(await eventsOf(id)).toEqual([
    'accounting_connection.connected',
    'accounting_connection.disconnecting',
    'accounting_connection.disconnected',
  ])
})

test('a person whose consent opens other books too keeps those: only the ones that are disconnected are closed', async () => {
  const [id, other] = [await ours(), await ours()]
  const [kept, closed] = [randomUUID(), randomUUID()]
  const personId = randomUUID()
  for (const [where, tenantId] of [
    [id, closed],
    [other, kept],
  ] as const) {
    const back = await consented(await consentAddress(boss, where), { tenant_id: tenantId, person_id: personId })
    expect((await api('GET', back)).status).toBe(200)
  }
  expect((await integrationsOf(boss, other))[0]?.tenant_id).toBe(kept)
  await accounting(boss, id, 'POST', 'disconnect', {})
  await isOver(boss, id)
  expect([await isOpenAtXero(closed), await isOpenAtXero(kept)]).toEqual([false, true])
  expect((await synced(boss, other)).status).toBe('completed')
})

test('books that are connected in place of others end those, and are the only ones that are posted to', async () => {
  const id = await ours()
  const first = await connectBooks(boss, id)
  const second = await connectBooks(boss, id)
  const differ = [second.id !== first.id, second.tenant_id !== first.tenant_id]
  expect([second.status, ...differ]).toEqual(['connected', true, true])
  await until('the first ones are closed', async () => !(await isOpenAtXero(first.tenant_id)))
  const again = await connectBooks(boss, id, second.tenant_id)
  expect([again.status, again.id, again.connected_at > second.connected_at]).toEqual(['connected', second.id, true])
})

test('a consent that Xero refuses is asked for again: a mail, something to do, no sync, and it goes on once it is there', async () => {
  const id = await ours()
  const { tenant_id: tenantId, id: connectionId } = await connectBooks(boss, id)
  await mapped(boss, id)
  await idle(boss, id)
  expect(await attentionOf(id)).toEqual([])
  await fault('accounting', 'expired_token')
  await fault('accounting', 'refused_refresh')
  const failure = { code: 'needs_reconnect', message: expect.any(String) }
  expect(await synced(boss, id)).toMatchObject({ status: 'failed', failure })
  expect((await integrationsOf(boss, id))[0]).toMatchObject({ status: 'needs_reconnect', needs_reconnect: true })
  const [item] = await attentionOf(id)
  expect(item).toMatchObject({
    id: `reconnect_accounting:${connectionId}`,
    severity: 'action',
    actionable_by_viewer: true,
    action: { kind: 'reconnect_accounting', connection_id: connectionId },
  })
  expect((await mailsTo(boss.email)).filter(({ subject }) => subject === 'Please connect Xero again')).toHaveLength(1)
  const sync = await accounting(boss, id, 'POST', 'sync', {})
  expect(refusal(sync)).toEqual([409, 'accounting_not_connected'])
  const connected = { status: 'connected', id: connectionId, ended_at: null }
  expect(await connectBooks(boss, id, tenantId)).toMatchObject(connected)
  expect(await attentionOf(id)).toEqual([])
  expect((await synced(boss, id)).status).toBe('completed')
})

test('an organization that is paused is not synced, and one that is deleted is disconnected', async () => {
  const id = await ours()
  const { tenant_id: tenantId } = await connectBooks(boss, id)
  await idle(boss, id)
  await moveOrganization(id as OrganizationId, 'pause')
  for (const path of ['sync', 'connect']) {
    const refused = await accounting(boss, id, 'POST', path, { provider: 'xero' })
    expect(refusal(refused)).toEqual([403, 'organization_unavailable'])
  }
  await moveOrganization(id as OrganizationId, 'delete')
  await until('its consent is revoked', async () => !(await isOpenAtXero(tenantId)))
})

test('a connection that Xero does not let be revoked for a day is dropped, once, and its tokens are gone from here', async () => {
  const id = (await ours()) as OrganizationId
  const connectionId = (await connectBooks(boss, id)).id as AccountingConnectionId // of a connection
  const row = async () =>
    (await owner`select status, sealed is null as erased from accounting_connections where id = ${connectionId}`)[0]
  await idle(boss, id)
  // ended by people; no run knows of it
  await owner`
    update accounting_connections set status = 'disconnecting', ended_at = business_now(),
      unclear_since = business_now() - interval '25 hours' where id = ${connectionId}`
  const ref = { id: connectionId, organizationId: id }
  await main.giveUpRevocation(ref) // due for another try
  expect(await row()).toEqual({ status: 'disconnecting', erased: false })
  await owner`
    update accounting_connections set asks = 1, ask_at = business_now() + interval '1 minute' where id = ${connectionId}`
  for (let call = 0; call < 2; call += 1) {
    await main.giveUpRevocation(ref)
    expect(await row()).toEqual({ status: 'disconnected', erased: true })
  }
  await isOver(boss, id)
})

test('who speaks with Xero while people disconnect, or connect again, asks nothing more, and ends nothing of theirs', async () => {
  const id = (await ours()) as OrganizationId
  const { tenant_id: tenantId, id: made } = await connectBooks(boss, id)
  const connectionId = made as AccountingConnectionId // of a connection
  let asked = 0
  const speaking = async (meanwhile: () => Promise<unknown>, more = async () => {}): Promise<unknown> => {
    await until('nobody speaks', async () => {
      const [row] = await owner`select lease from accounting_connections where id = ${connectionId}`
      return row?.['lease'] === null && (await runsOf(boss, id)).every((run) => run.ended_at)
    })
    return withBooks(id, connectionId, async (call) => {
      await meanwhile()
      await more()
      return call(async () => (asked += 1))
    })
  }
  const again = () => connectBooks(boss, id, tenantId)
  await expect(speaking(again)).rejects.toMatchObject({ kind: 'busy' })
  const refused = async () => {
    throw new XeroFailure('denied', 'invalid_grant') // of the old tokens
  }
  await expect(speaking(again, refused)).rejects.toMatchObject({ kind: 'denied' })
  expect((await integrationsOf(boss, id))[0]?.status).toBe('connected')
  await expect(speaking(() => accounting(boss, id, 'POST', 'disconnect', {}))).rejects.toMatchObject({ kind: 'busy' })
  expect(asked).toBe(0)
  await isOver(boss, id)
})
