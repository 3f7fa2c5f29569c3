/** OAuth: a person connects a client on a page, with a proof; the client gets tokens, and nothing else gets any. */
import { describe, expect, test } from 'vitest'
import { purgeExpired } from '../../../services/maintenance/purge.ts'
import { config } from '../../../platform/config.ts'
import { api, organization, person } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { tokenBy } from '../../support/identity/delegates.ts'
import {
  COMMAND_LINE,
  coded,
  reads,
  signedIn,
  authorizeUrl,
  consent,
  describedClient,
  fieldsOf,
  leadOf,
  newVerifier,
  open,
  submit,
  tokenOfCode,
  walk,
} from '../../support/identity/oauth.ts'
import { agent, use } from '../../support/mcp/client.ts'

type Ended = { end_reason: string | null; details: { reason: string } }

test('a client finds its way from the challenge: resource, server, page, token endpoint', async () => {
  for (const path of ['', '/mcp']) {
    const { body } = await api('GET', `//.well-known/oauth-protected-resource${path}`)
    expect(body).toMatchObject({ resource: `${config.publicUrl}/mcp`, authorization_servers: [config.publicUrl] })
  }
  const { body } = await api('GET', '//.well-known/oauth-authorization-server')
  expect(body).toMatchObject({
    issuer: config.publicUrl,
    authorization_endpoint: `${config.publicUrl}/authorize`,
    token_endpoint: `${config.publicUrl}/oauth/token`,
    code_challenge_methods_supported: ['S256'],
    grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
    client_id_metadata_document_supported: true,
  })
})

test('an agent is connected: sign-in, who asks, proof, code, token, tools; and a refresh gives the next token', async () => {
  const { boss, organizationId } = await signedIn()
  const client = await describedClient({ client_name: '<b>Books</b> agent' })
  const verifier = newVerifier()
  const url = authorizeUrl(client, verifier)
  const stranger = await open(url)
  expect([stranger.status, client.reads()]).toEqual([303, 0])
  const next = new URL(stranger.headers.get('location') ?? '', 'http://x').searchParams.get('next') ?? ''
  expect(new URL(next, 'http://x').searchParams.get('state')).toBe('state of the client & more')
  const page = await (await open(next, boss.token)).text()
  expect(page).toContain('&lt;b&gt;Books&lt;/b&gt; agent')
  expect(page).not.toContain('<b>Books')
  expect(page).toContain(new URL(client.client_id).host)
  const asked = await consent(boss, url, { organization_id: organizationId, days: '7' })
  expect(asked).toContain('Confirm it is you')
  expect(asked).toContain(`of ${new URL(client.client_id).host} read in your name for 7 days in the organization`)
  expect(leadOf(asked)).toBeNull()
  const lead = await walk(boss, url, { organization_id: organizationId, days: '7' })
  expect(lead.origin + lead.pathname).toBe('http://127.0.0.1:7777/callback')
  expect(Object.fromEntries(lead.searchParams)).toEqual({
    code: expect.any(String),
    state: 'state of the client & more',
    iss: config.publicUrl,
  })
  const { status, body } = await tokenOfCode(lead, verifier, client)
  expect([status, body]).toEqual([
    200,
    {
      access_token: expect.stringMatching(/^ses_/),
      token_type: 'Bearer',
      expires_in: 28_800,
      organization_id: organizationId,
      refresh_token: expect.stringMatching(/^dlg_/),
      scope: 'read',
    },
  ])
  const used = await use(await agent(body.access_token), 'organization')
  expect(used.structuredContent.id).toBe(organizationId)
  const [made] = (await api('GET', '/me/delegates', { token: boss.token })).body.data
  expect(made).toMatchObject({ kind: 'agent', access: 'read', name: expect.stringContaining('127.0.0.1:') })
  expect(Date.parse(made.expires_at) - Date.parse(made.inserted_at)).toBe(7 * 86_400_000)
  const { client_id } = client
  const again = await tokenBy({ grant_type: 'refresh_token', refresh_token: body.refresh_token, client_id })
  expect([again.status, await reads(again.body.access_token, organizationId)]).toEqual([200, 200])
})

test('the command line is connected as a program, on any port of the same machine', async () => {
  const { boss, organizationId, verifier, lead } = await coded()
  expect(lead.port).toBe('49152')
  const { body } = await tokenOfCode(lead, verifier, COMMAND_LINE)
  expect(await reads(body.access_token, organizationId)).toBe(200)
  const [made] = (await api('GET', '/me/delegates', { token: boss.token })).body.data
  expect(made).toMatchObject({ kind: 'program', name: 'Command line (bfs)' })
})

describe('a code', () => {
  test('is no good with another verifier, client or address, and still good for its own', async () => {
    const { lead, verifier } = await coded()
    for (const wrong of [
      { code_verifier: newVerifier() },
      { client_id: 'http://127.0.0.1:1/client.json' },
      { redirect_uri: 'http://127.0.0.1:49153/callback' },
      { code: 'unknown' },
    ])
      expect((await tokenOfCode(lead, verifier, COMMAND_LINE, wrong)).body.error).toBe('invalid_grant')
    expect((await tokenOfCode(lead, verifier, COMMAND_LINE, { code_verifier: 'short' })).body.error).toBe(
      'invalid_request',
    )
    expect((await tokenOfCode(lead, verifier, COMMAND_LINE)).status).toBe(200)
  })

  test('that comes twice ends the delegate, its tokens and its refresh token', async () => {
    const { lead, verifier, organizationId } = await coded()
    const { body } = await tokenOfCode(lead, verifier, COMMAND_LINE)
    expect(await reads(body.access_token, organizationId)).toBe(200)
    const replay = await tokenOfCode(lead, verifier, COMMAND_LINE)
    expect([replay.status, replay.body.error]).toEqual([400, 'invalid_grant'])
    expect(await reads(body.access_token, organizationId)).toBe(401)
    const refresh = { grant_type: 'refresh_token', refresh_token: body.refresh_token, client_id: 'bfs' }
    expect((await tokenBy(refresh)).body.error).toBe('invalid_grant')
    const [row] = await owner`select end_reason from delegates where organization_id = ${organizationId}`
    expect(row).toEqual({ end_reason: 'code_replayed' })
  })

  test('that comes twice at once gives one token at most, and ends it', async () => {
    const { lead, verifier, organizationId } = await coded()
    const answers = await Promise.all([1, 2, 3].map(() => tokenOfCode(lead, verifier, COMMAND_LINE)))
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
    const [row] = await owner`select end_reason from delegates where organization_id = ${organizationId}`
    expect(row).toEqual({ end_reason: 'code_replayed' })
  })

  test('is over after a minute', async () => {
    const { lead, verifier, organizationId } = await coded()
    await owner`
      update authorization_codes set expires_at = business_now() where organization_id = ${organizationId}`
    expect((await tokenOfCode(lead, verifier, COMMAND_LINE)).body.error).toBe('invalid_grant')
  })

  test('that nobody changes into a token ends its delegate a minute later; one that was changed does not', async () => {
    const [unclaimed, young, claimed] = [await coded(), await coded(), await coded()]
    expect((await tokenOfCode(claimed.lead, claimed.verifier, COMMAND_LINE)).status).toBe(200)
    for (const [{ organizationId }, seconds] of [
      [unclaimed, 61],
      [young, 30],
      [claimed, 61],
    ] as const)
      await owner`
        update authorization_codes set expires_at = business_now() - make_interval(secs => ${seconds})
        where organization_id = ${organizationId}`
    await Promise.all([purgeExpired(1), purgeExpired(1)])
    const endsOf = async ({ token }: { token: string }) => {
      const made = (await api('GET', '/me/delegates', { token })).body.data
      const logged = (await api('GET', '/me/security-events?type=delegate.ended', { token })).body.data
      return [made.map((one: Ended) => one.end_reason), logged.map((one: Ended) => one.details.reason)]
    }
    expect(await endsOf(unclaimed.boss)).toEqual([['code_expired'], ['code_expired']])
    for (const { boss } of [young, claimed]) expect(await endsOf(boss)).toEqual([[null], []])
  })
})

describe('the page leads nowhere', () => {
  const refused = async (client: { client_id: string; redirect_uri: string }) => {
    const { boss, organizationId } = await signedIn()
    const url = authorizeUrl(client, newVerifier())
    const shown = await open(url, boss.token)
    const html = await shown.text()
    const body = {
      ...client,
      organization_id: organizationId,
      code_challenge: 'x'.repeat(43),
      access: 'read',
      expires_in_days: 1,
    }
    const direct = await api('POST', '/me/authorizations', { token: boss.token, body })
    const sent = await submit('/authorize', { ...client, decision: 'deny' }, boss.token)
    expect([shown.status, leadOf(html), leadOf(await sent.text())]).toEqual([422, null, null])
    expect([direct.status, direct.body.error.type]).toEqual([422, 'client_not_usable'])
    return direct.body.error.details.reason
  }

  test('for an address to return to that is not registered', async () => {
    const { client_id } = await describedClient()
    for (const one of [client_id, 'bfs']) {
      expect(await refused({ client_id: one, redirect_uri: 'https://evil.example/callback' })).toBe(
        'redirect_not_registered',
      )
    }
  })

  test.each([
    ['http://10.0.0.1/client.json', 'client_unreadable'],
    ['http://169.254.169.254/latest/meta-data', 'client_unreadable'],
    ['http://[::ffff:10.0.0.1]/client.json', 'client_unknown'],
    ['https://internal/client.json', 'client_unreadable'],
    ['http://127.0.0.1:1024', 'client_unknown'],
    ['ftp://example.com/client.json', 'client_unknown'],
    ['somebody', 'client_unknown'],
  ])('for a client at an address that is not public, or none: %s', async (client_id, reason) => {
    expect(await refused({ client_id, redirect_uri: COMMAND_LINE.redirect_uri })).toBe(reason)
  })

  test.each([
    ['of another id', { client_id: 'https://other.example/client.json' }],
    ['with no list of addresses', { redirect_uris: 'http://127.0.0.1/callback' }],
    ['that is too long', { padding: 'x'.repeat(20_000) }],
  ])('for a description %s', async (_, more) => {
    const { client_id, redirect_uri } = await describedClient(more)
    expect(await refused({ client_id, redirect_uri })).toBe('client_description')
  })
})

test('what is wrong with a request is shown with a link to the client; no page leads there by itself', async () => {
  const { boss } = await signedIn()
  const shown = async (more: Record<string, string>) => {
    const answer = await open(authorizeUrl(COMMAND_LINE, newVerifier(), more), boss.token)
    const page = await answer.text()
    expect([answer.status, leadOf(page), page.includes('http-equiv')]).toEqual([422, null, false])
    const back = new URL(/href="(http:\/\/127[^"]*)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? 'http://none')
    return [back.port, back.searchParams.get('error'), back.searchParams.get('state'), back.searchParams.get('code')]
  }
  const state = 'state of the client & more'
  expect(await shown({ response_type: 'token' })).toEqual(['49152', 'unsupported_response_type', state, null])
  expect(await shown({ code_challenge_method: 'plain' })).toEqual(['49152', 'invalid_request', state, null])
  expect(await shown({ scope: 'everything' })).toEqual(['49152', 'invalid_scope', state, null])
  expect(await shown({ resource: 'https://other.example/mcp' })).toEqual(['49152', 'invalid_target', state, null])
})

test('the page proposes what was asked for, in the primary organization, and keeps what the person chose', async () => {
  const { boss, organizationId } = await signedIn()
  const newer = (await organization(boss, 'Newer')).id
  const primary = { organization_id: organizationId }
  expect((await api('PUT', '/me/primary-organization', { token: boss.token, body: primary })).status).toBe(200)
  const chosenOn = (html: string) => [...html.matchAll(/value="([^"]*)" selected/g)].map(([, value]) => value)
  for (const [scope, access] of [
    ['prepare', 'prepare'],
    ['read prepare', 'prepare'],
    ['read', 'read'],
    ['', 'read'],
  ] as const) {
    const html = await (await open(authorizeUrl(COMMAND_LINE, newVerifier(), { scope }), boss.token)).text()
    expect(chosenOn(html), scope).toEqual([organizationId, access])
    expect(html.indexOf(newer)).toBeGreaterThan(0)
  }
  const url = authorizeUrl(COMMAND_LINE, newVerifier(), { scope: 'prepare' })
  const again = await consent(boss, url, { organization_id: newer, access: 'read', days: '91' })
  expect([chosenOn(again), /name="days"[^>]*value="(\d+)"/.exec(again)?.[1]]).toEqual([[newer, 'read'], '91'])
})

test('a person who declines is led back to the client, which is told', async () => {
  const { boss } = await signedIn()
  const page = await (await open(authorizeUrl(COMMAND_LINE, newVerifier()), boss.token)).text()
  const declined = await submit('/authorize', { ...fieldsOf(page, 'decision'), decision: 'deny' }, boss.token)
  expect(leadOf(await declined.text())?.searchParams.get('error')).toBe('access_denied')
})

test('nothing is made without the proof, for another organization, for too long, or by a form of another site', async () => {
  const { boss, organizationId } = await signedIn()
  const foreign = (await organization(await person())).id
  const url = authorizeUrl(COMMAND_LINE, newVerifier())
  expect(await consent(boss, url, { organization_id: organizationId })).toContain('Confirm it is you')
  expect(leadOf(await consent(boss, url, { organization_id: foreign }))).toBeNull()
  expect(await consent(boss, url, { organization_id: organizationId, days: '91' })).toContain('expires in days')
  const page = await (await open(url, boss.token)).text()
  const fields = { ...fieldsOf(page, 'decision'), organization_id: organizationId, access: 'read', days: '1' }
  const elsewhere = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  expect((await submit('/authorize', { ...fields, decision: 'allow' }, boss.token, elsewhere)).status).toBe(403)
  const without = await person()
  const own = (await organization(without)).id
  expect(leadOf(await consent(without, url, { organization_id: own }))).toBeNull()
  expect(await owner`select from delegates where organization_id in (${organizationId}, ${foreign}, ${own})`).toEqual(
    [],
  )
})

test('a proof is for one grant: its form with other words asks for another', async () => {
  const { boss, organizationId } = await signedIn()
  const asked = await consent(boss, authorizeUrl(COMMAND_LINE, newVerifier()), {
    organization_id: organizationId,
    days: '1',
  })
  const proof = { ...fieldsOf(asked, 'name="code"'), code: await boss.totp() }
  const changed = await (await submit('/authorize', { ...proof, days: '90' }, boss.token)).text()
  expect([leadOf(changed), changed.includes('for 90 days')]).toEqual([null, true])
})

test('a link of another site lands on the page with all that was asked', async () => {
  const url = authorizeUrl(COMMAND_LINE, newVerifier())
  const answer = await fetch(new URL(url, `http://127.0.0.1:${new URL((await open('/approve')).url).port}`), {
    headers: { 'sec-fetch-site': 'cross-site' },
  })
  const lead = leadOf(await answer.text())
  expect(`${lead?.pathname}${lead?.search}`).toBe(`${url}&here=1`)
})

test('the token endpoint answers errors as OAuth clients read them', async () => {
  const twice = new URLSearchParams([
    ['grant_type', 'refresh_token'],
    ['grant_type', 'refresh_token'],
  ])
  const { body } = await api('POST', '//oauth/token', { body: twice.toString() })
  expect(body).toEqual({ error: 'invalid_request', error_description: 'grant_type: must come once' })
})
