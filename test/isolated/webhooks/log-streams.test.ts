/** Log streams: events of an organization as OCSF, at least once, in order, for its owners. */
import { createServer } from 'node:tls'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished, test } from 'vitest'
import { type OrganizationId, type UserId, newId } from '../../../domain/ids.ts'
import { speakFor, transaction } from '../../../db/postgres/sql.ts'
import { sendSyslog } from '../../../partners/syslog.ts'
import { enforceAuthenticator } from '../../../services/organizations/settings.ts'
import { recordFailure } from '../../../services/people/security-log.ts'
import { openSession } from '../../../services/people/sessions.ts'
import { type TestPerson, api, join, organization, person, withStepUp } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { refusal } from '../../support/http/refusals.ts'
import { signIn } from '../../support/identity/identity.ts'
import { passkey } from '../../support/identity/passkeys.ts'
import { softwareAuthenticator } from '../../support/identity/software-authenticator.ts'
import { until } from '../../support/until.ts'
import { CERTIFICATE, CERTIFICATE_KEY, CERTIFICATE_NAME } from '../../support/webhooks/certificate.ts'
import { httpReceiver } from '../../support/webhooks/receivers.ts'
import { useWorker } from '../../support/worker.ts'

useWorker({ chains: true })
const boss = await person({ authenticator: true })

const pathOf = (id: string, rest = '') => `/organizations/${id}/log-streams${rest}`
const call = ({ token }: TestPerson, method: string, path: string, body?: object) =>
  withStepUp(method, path, { token, ...(body && { body }) })
const rename = (id: string, name: string) => api('PATCH', `/organizations/${id}`, { token: boss.token, body: { name } })

async function streamTo(port: number) {
  const { id } = await organization(boss, 'Example')
  const body = { kind: 'https', url: `http://127.0.0.1:${port}/log`, authorization: 'Splunk token-7' }
  const made = await call(boss, 'POST', pathOf(id), body)
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return { id, stream: made.body }
}

test('by HTTPS each event comes once, in order, signed, with the header of the receiver', async () => {
  const receiver = await httpReceiver((_, response) => response.writeHead(204).end())
  const { id, stream } = await streamTo(receiver.port)
  expect(stream).toMatchObject({ kind: 'https', address: `http://127.0.0.1:${receiver.port}/log`, paused: false })
  for (const name of ['One', 'Two', 'Three']) await rename(id, name)
  const updates = () =>
    receiver.received.filter(({ body }) => JSON.parse(body).metadata.event_code === 'organization.updated')
  await until('three events', async () => updates().length === 3)
  const sequences = updates().map(({ body }) => JSON.parse(body).metadata.sequence as number)
  expect(sequences).toEqual(sequences.toSorted((a, b) => a - b))
  for (const { headers, body } of receiver.received) {
    expect(headers['authorization']).toBe('Splunk token-7')
    new Webhook(stream.secret).verify(body, headers as Record<string, string>)
  }
  expect(JSON.parse(updates()[0]!.body)).toMatchObject({
    class_uid: 3004,
    type_uid: 300_403,
    actor: { user: { uid: boss.userId } },
    entity: { uid: id, type: 'organization' },
  })
  const [row] = await owner`select e::text as all from webhook_endpoints e where id = ${stream.id}`
  expect(row?.['all']).not.toMatch(/token-7|whsec_/)
})

test('paused it loses nothing; a test and a rotation work as for webhooks; deleted it is gone', async () => {
  const receiver = await httpReceiver((_, response) => response.writeHead(204).end())
  const { id, stream } = await streamTo(receiver.port)
  const at = pathOf(id, `/${stream.id}`)
  const codes = () => receiver.received.map(({ body }) => JSON.parse(body).metadata.event_code as string)
  const paused = await call(boss, 'PATCH', at, { paused: true, description: 'SIEM' })
  expect(paused.body).toMatchObject({ paused: true, disabled_reason: 'person', description: 'SIEM' })
  expect(refusal(await call(boss, 'POST', `${at}/test`, {}))).toEqual([409, 'invalid_state'])
  await rename(id, 'Renamed')
  expect(codes()).not.toContain('organization.updated')
  expect((await call(boss, 'PATCH', at, { paused: false })).body).toMatchObject({ paused: false })
  await until('the event that waited', async () => codes().includes('organization.updated'))
  const rotated = await call(boss, 'POST', `${at}/rotate-secret`, {})
  expect(rotated.body).toMatchObject({
    secret: expect.stringMatching(/^whsec_/),
    previous_secret_expires_at: expect.any(String),
  })
  expect((await call(boss, 'POST', `${at}/test`, {})).status).toBe(202)
  await until('the test', async () => codes().includes('webhook_endpoint.test'))
  const { headers, body } = receiver.received.at(-1)!
  expect(headers['authorization']).toBe('Splunk token-7')
  for (const secret of [stream.secret, rotated.body.secret])
    new Webhook(secret).verify(body, headers as Record<string, string>)
  expect((await call(boss, 'DELETE', at)).status).toBe(200)
  expect(refusal(await api('GET', at, boss))).toEqual([404, 'not_found'])
})

test('its deliveries are listed with each try, and one is sent again; no delivery of a webhook is one of them', async () => {
  const answers = [500, 204]
  const receiver = await httpReceiver((_, response) => response.writeHead(answers.shift() ?? 204).end())
  const { id, stream } = await streamTo(receiver.port)
  await rename(id, 'Renamed')
  const list = async (query = '') => (await api('GET', pathOf(id, `/${stream.id}/deliveries${query}`), boss)).body.data
  const failed = await until('a try', async () =>
    (await list('?status=pending')).find((one: any) => one.attempts.length > 0),
  )
  expect(failed).toMatchObject({ origin: 'event', attempts: [{ status_code: 500 }] })
  const at = pathOf(id, `/${stream.id}/deliveries/${failed.id}`)
  expect((await call(boss, 'POST', `${at}/replay`, {})).status).toBe(202)
  const sent = await until('the second try', async () => {
    const { body } = await api('GET', at, boss)
    return body.status === 'succeeded' && body
  })
  expect(sent.attempts.map(({ status_code: code }: any) => code)).toEqual([500, 204])
  const hooks = `/organizations/${id}/webhook-endpoints/${stream.id}/deliveries`
  expect(refusal(await api('GET', hooks, boss))).toEqual([404, 'not_found'])
  const admin = await person({ authenticator: true })
  await join(id, admin, 'admin')
  expect(refusal(await api('GET', at, admin))).toEqual([403, 'forbidden'])
  const elsewhere = await streamTo(20_003)
  expect(
    refusal(await api('GET', pathOf(elsewhere.id, `/${elsewhere.stream.id}/deliveries/${failed.id}`), boss)),
  ).toEqual([404, 'not_found'])
})

test('owners alone see streams, and no operation on webhooks finds one', async () => {
  const { id, stream } = await streamTo(20_003)
  const [admin, stranger] = [await person({ authenticator: true }), await person({ authenticator: true })]
  await join(id, admin, 'admin')
  expect(refusal(await api('GET', pathOf(id), admin))).toEqual([403, 'forbidden'])
  expect(refusal(await api('GET', pathOf(id), stranger))).toEqual([404, 'not_found'])
  const theirs = await organization(stranger, 'Theirs')
  expect(refusal(await api('GET', pathOf(theirs.id, `/${stream.id}`), stranger))).toEqual([404, 'not_found'])
  expect((await api('GET', pathOf(id), boss)).body.data.map((one: { id: string }) => one.id)).toEqual([stream.id])
  const hooks = `/organizations/${id}/webhook-endpoints`
  expect((await api('GET', hooks, boss)).body.data).toEqual([])
  expect(refusal(await api('GET', `${hooks}/${stream.id}`, boss))).toEqual([404, 'not_found'])
  expect(refusal(await call(boss, 'POST', `${hooks}/${stream.id}/disable`, {}))).toEqual([404, 'not_found'])
})

test.each([
  [{ kind: 'https', url: 'https://10.0.0.1/log' }, 'invalid_webhook_url'],
  [{ kind: 'https', url: 'https://example.com/log', authorization: 'a\r\nb: c' }, 'invalid_request'],
  [{ kind: 'syslog_tls', host: '169.254.169.254', port: 6514 }, 'invalid_webhook_url'],
  [{ kind: 'syslog_tls', host: 'example.com/@10.0.0.1', port: 6514 }, 'invalid_request'],
  [{ kind: 'syslog_tls', host: 'example.com', port: 514 }, 'invalid_request'],
  [{ kind: 'syslog_tls', host: 'example.com', port: 6514, ca: 'no certificate' }, 'invalid_request'],
  [{ kind: 'kafka' }, 'invalid_request'],
])('%j is refused', async (body, type) => {
  const { id } = await organization(boss, 'Example')
  expect(refusal(await call(boss, 'POST', pathOf(id), body))[1]).toBe(type)
})

test('a stream by syslog has no secret, and says when its receiver cannot be trusted', async () => {
  const receiver = await syslogReceiver()
  const { id } = await organization(boss, 'Example')
  const body = { kind: 'syslog_tls', host: '127.0.0.1', port: receiver.port, ca: CERTIFICATE } // of another name
  const made = await call(boss, 'POST', pathOf(id), body)
  expect(made.body).toMatchObject({ secret: null, address: `syslog-tls://127.0.0.1:${receiver.port}` })
  const at = pathOf(id, `/${made.body.id}`)
  expect(refusal(await call(boss, 'POST', `${at}/rotate-secret`, {}))).toEqual([409, 'invalid_state'])
  await rename(id, 'Renamed')
  const failing = await until('a failure', async () => {
    const { body: now } = await api('GET', at, boss)
    return now.last_failure_at !== null && now
  })
  expect([failing.last_success_at, failing.waiting > 0, receiver.text()]).toEqual([null, true, ''])
})

/** Opens a session of one company, as its identity provider does. */
const sessionOf = ({ userId }: TestPerson, organizationId: string) =>
  transaction((tx) =>
    openSession(tx, {
      userId: userId as UserId,
      deviceId: null,
      method: 'identity_provider',
      origin: { address: '198.51.100.9', userAgent: 'Company' },
      company: { organizationId: organizationId as OrganizationId, linkId: newId(), providerSession: null },
    }),
  )

test('a stream has what its company may know of the ways in of a member, and nothing of another company', async () => {
  const receiver = await httpReceiver((_, response) => response.writeHead(204).end())
  const { id } = await streamTo(receiver.port)
  const member = await person()
  await join(id, member, 'member')
  const other = await organization(member, 'Elsewhere')
  await sessionOf(member, id)
  await sessionOf(member, other.id)
  for (let wrong = 0; wrong < 12; wrong += 1)
    await recordFailure(member.userId as UserId, 'password', { address: '198.51.100.7', userAgent: null })
  const { body } = await signIn(member.email, member.password)
  expect(body.status).toBe('authenticated')
  await passkey({ ...member, token: body.token }, softwareAuthenticator())
  expect((await api('POST', '/auth/sign-out', { token: body.token })).status).toBe(200)
  const told = () =>
    receiver.received
      .map(({ body: sent }) => JSON.parse(sent))
      .filter(({ user, metadata }) => user?.uid === member.userId && metadata.event_code !== 'member.joined')
  await until('the sign-out', async () => told().some(({ activity_name: name }) => name === 'Logoff'))
  expect(told().map(({ type_uid: type, status_id: status, auth_protocol: way }) => [type, status, way])).toEqual([
    [300_201, 1, 'OpenID'],
    ...Array(10).fill([300_201, 2, 'password']),
    [300_201, 1, 'password'],
    [300_110, 1, undefined],
    [300_202, 1, undefined],
  ])
  const [first, failed, opened, , ended] = [0, 1, 11, 12, 13].map((place) => told()[place])
  expect(first).toMatchObject({ src_endpoint: { ip: '198.51.100.9' }, http_request: { user_agent: 'Company' } })
  expect([failed.src_endpoint, failed.actor]).toEqual([
    { ip: '198.51.100.7' },
    { app_name: 'business-finance-service' },
  ])
  expect(opened.session.uid).toBe(ended.session.uid)
  expect(JSON.stringify(receiver.received)).not.toMatch(new RegExp(`Elsewhere|${other.id}`))
  const [log] = await owner`
    select count(*) filter (where organization_id = ${other.id})::int as elsewhere,
      bool_or(payload like '%198.51.%') as addresses
    from events where subject_id = ${member.userId} and type like 'member.%' and type <> 'member.joined'`
  expect(log).toEqual({ elsewhere: 0, addresses: false })
})

test('a company is told by its stream what it requires of a member, and not what another one does', async () => {
  const { id } = await streamTo(20_001)
  const member = await person()
  await join(id, member, 'member')
  const other = (await organization(member, 'Elsewhere')).id as OrganizationId
  const reasonOf = async (requiring: string) => {
    await owner`update organizations set requires_authenticator = false where id = any (${[id, other]})`
    await signIn(member.email, member.password)
    await owner`update organizations set requires_authenticator = (id = ${requiring}) where id = any (${[id, other]})`
    await transaction(async (plain) => {
      const tx = await speakFor(plain, {
        organizationId: requiring as OrganizationId,
        actor: { kind: 'system' },
        correlationId: null,
      })
      await enforceAuthenticator(tx, null)
    })
    const [row] = await owner`
      select payload::json ->> 'reason' as reason from events
      where organization_id = ${id} and type = 'member.signed_out' order by written desc limit 1`
    return row?.['reason']
  }
  expect([await reasonOf(other), await reasonOf(id)]).toEqual(['ended_by_service', 'authenticator_required'])
})

test('a company that wants its provider hears of no other way in of a member, but of an owner who breaks the glass', async () => {
  const { id } = await streamTo(20_003)
  const member = await person()
  await join(id, member, 'member')
  const [domain] = member.email.split('@').slice(1)
  await owner`
    insert into identity_providers (id, organization_id, issuer, client_id, sealed, required, connected_by)
    values (${newId()}, ${id}, 'https://idp.example', 'client', '', true, ${boss.userId})`
  await owner`
    insert into identity_provider_domains (id, organization_id, domain, challenge, proved_at)
    values (${newId()}, ${id}, ${domain ?? ''}, 'challenge', now())`
  const open = ({ userId }: TestPerson, breaksGlass: boolean) =>
    transaction((tx) =>
      openSession(tx, {
        userId: userId as UserId,
        deviceId: null,
        method: 'passkey',
        origin: { address: '198.51.100.7', userAgent: null },
        breaksGlass,
      }),
    )
  await open(member, false)
  await recordFailure(member.userId as UserId, 'password', { address: '198.51.100.7', userAgent: null })
  await open(boss, false)
  await open(boss, true)
  const told = await owner`
    select subject_id, type, payload::json ->> 'breaks_glass' as breaks_glass from events
    where organization_id = ${id} and type like 'member.sign%' order by written`
  expect(told).toEqual([{ subject_id: boss.userId, type: 'member.signed_in', breaks_glass: 'true' }])
})

/** Listens for syslog over TLS until the test is over. */
async function syslogReceiver() {
  const chunks: Buffer[] = []
  const server = createServer({ cert: CERTIFICATE, key: CERTIFICATE_KEY }, (socket) =>
    socket.on('error', () => {}).on('data', (chunk) => chunks.push(chunk)),
  )
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo // listens on TCP
  return { port, text: () => Buffer.concat(chunks).toString() }
}

test('a frame reaches a receiver whose certificate is of its name and authority, and no other', async () => {
  const receiver = await syslogReceiver()
  const names = { live: false, resolve: async () => ['127.0.0.1'] }
  const message = { at: '2026-11-30T12:00:00.000Z', hostname: 'api', type: 'payment.created', body: '{"a":"ü"}' }
  const address = `syslog-tls://${CERTIFICATE_NAME}:${receiver.port}`
  const sent = await sendSyslog(address, message, { ca: CERTIFICATE, names })
  expect(sent).toEqual({ kind: 'taken', ms: expect.any(Number) })
  await until('the frame', async () => receiver.text() !== '')
  expect(receiver.text()).toMatch(
    /^\d+ <110>1 2026-11-30T12:00:00.000Z api business-finance-service - payment.created - \{/,
  )
  const failure = async (to: string, ca?: string, of = names) =>
    (await sendSyslog(to, message, { ca, names: of })) as { reason?: string }
  expect((await failure(address)).reason).toBe('tls') // an authority that nobody knows
  expect((await failure(`syslog-tls://other.example.com:${receiver.port}`, CERTIFICATE)).reason).toBe('tls')
  expect((await failure(address, CERTIFICATE, { ...names, resolve: async () => ['10.0.0.1'] })).reason).toBe(
    'refused_address',
  )
  expect((await failure('syslog-tls://127.0.0.1:1025', CERTIFICATE)).reason).toBe('connection')
})
