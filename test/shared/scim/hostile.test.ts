/** Requests of an identity provider, or of a stranger, that are not as they should be: each answer is one of SCIM. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { api, baseUrl, join, withStepUp } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { refusal } from '../../support/http/refusals.ts'
import { company, identityProvider, newDomain, personOf } from '../../support/identity/providers.ts'
import { listOf, newAddress, patchBody, scimOf, scimPath, scimToken, userBody } from '../../support/identity/scim.ts'

const provider = await identityProvider()
const { boss, id, domain } = await company(provider)
const { secret } = await scimToken(boss, id)
const scim = scimOf(secret)
const other = await company(provider)
const stranger = scimOf((await scimToken(other.boss, other.id)).secret)

const made = async (more: object = {}) => (await scim('POST', '/Users', userBody(newAddress(domain), more))).body
const errorOf = ({ status, body }: { status: number; body: any }) => [status, body.scimType]

describe('a token', () => {
  test('is shown once, listed without its secret, and over at once when it is revoked', async () => {
    const token = await scimToken(boss, id)
    expect(token.secret).toMatch(/^bfs_scim_[\w-]{40,}$/)
    const own = scimOf(token.secret)
    expect((await own('GET', '/Users?count=0')).status).toBe(200)
    const listed = await listOf(boss, id, '/tokens')
    expect(listed.find((one: { id: string }) => one.id === token.id)).toMatchObject({ name: 'Okta', revoked_at: null })
    expect(JSON.stringify(listed)).not.toContain(token.secret)
    const path = scimPath(id, `/tokens/${token.id}/revoke`)
    const revoked = await api('POST', path, { token: boss.token, body: {} })
    expect([revoked.status, revoked.body.revoked_at]).toEqual([200, expect.any(String)])
    expect((await api('POST', path, { token: boss.token, body: {} })).body).toEqual(revoked.body)
    expect((await own('GET', '/Users?count=0')).status).toBe(401)
    expect((await api('POST', path.replace(id, other.id), { token: other.boss.token, body: {} })).status).toBe(404)
  })

  test('works beside four others at most, and is made by an owner with a proof alone', async () => {
    const { boss: sole, id: own } = await company(provider)
    const body = { name: 'Entra ID' }
    const asked = await api('POST', scimPath(own, '/tokens'), { token: sole.token, body })
    expect(refusal(asked)).toEqual([403, 'step_up_required'])
    const admin = await personOf(domain, { authenticator: true })
    await join(own, admin, 'admin')
    expect((await withStepUp('POST', scimPath(own, '/tokens'), { token: admin.token, body })).status).toBe(403)
    for (let count = 0; count < 5; count += 1) await scimToken(sole, own)
    const sixth = await withStepUp('POST', scimPath(own, '/tokens'), { token: sole.token, body })
    expect(sixth.body.error).toMatchObject({ type: 'invalid_state', details: { reason: 'too_many_scim_tokens' } })
  })

  test('does nothing but SCIM, and nothing else does SCIM', async () => {
    for (const path of [`/organizations/${id}`, '/me', '/organizations', scimPath(id, '/groups')])
      expect((await api('GET', path, { token: secret })).status, path).toBe(401)
    for (const bearer of [boss.token, `svc_test_abcdefgh_${'a'.repeat(43)}`, 'dlg_x', `${secret}x`, 'bfs_scim_', ''])
      for (const path of ['/Users', '/ServiceProviderConfig', '/Bulk', '/Me'])
        expect((await scimOf(bearer)('GET', path)).status, `${bearer} ${path}`).toBe(401)
    const refused = await scimOf(boss.token)('GET', '/Users')
    expect(refused.body).toEqual({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: '401',
      detail: expect.stringContaining('SCIM token'),
    })
    expect(refused.headers.get('content-type')).toContain('application/scim+json')
  })

  test('sees and changes nothing of another organization', async () => {
    const user = await made()
    const { body: group } = await scim('POST', '/Groups', { displayName: randomUUID(), members: [{ value: user.id }] })
    for (const path of [`/Users/${user.id}`, `/Groups/${group.id}`]) {
      expect((await stranger('GET', path)).status).toBe(404)
      expect((await stranger('DELETE', path)).status).toBe(404)
      const off = patchBody({ op: 'replace', path: 'displayName', value: 'x' })
      expect((await stranger('PATCH', path, off)).status).toBe(404)
      expect((await stranger('PUT', path, { ...userBody(newAddress(other.domain)), displayName: 'x' })).status).toBe(
        404,
      )
    }
    expect((await stranger('GET', `/Users?filter=id eq "${user.id}"`)).body.totalResults).toBe(0)
    expect((await stranger('GET', `/Groups?filter=members eq "${user.id}"`)).body.totalResults).toBe(0)
    const taken = await stranger('POST', '/Groups', { displayName: 'theirs', members: [{ value: user.id }] })
    expect(errorOf(taken)).toEqual([400, 'invalidValue'])
    const foreign = await stranger('POST', '/Users', userBody(newAddress(domain)))
    expect([...errorOf(foreign), foreign.body.detail]).toEqual([
      400,
      'invalidValue',
      expect.stringContaining('not proved'),
    ])
  })
})

test('an address of a domain that is not proved is refused, and says why', async () => {
  const refused = await scim('POST', '/Users', userBody(newAddress(newDomain())))
  expect([...errorOf(refused), refused.body.detail]).toEqual([
    400,
    'invalidValue',
    expect.stringContaining('not proved'),
  ])
  const nameless = await scim('POST', '/Users', { userName: 'ada' })
  expect([...errorOf(nameless), nameless.body.detail]).toEqual([
    400,
    'invalidValue',
    expect.stringContaining('address'),
  ])
})

describe('bodies', () => {
  const user = made()
  const bad: [name: string, body: unknown, error: [number, string | undefined]][] = [
    ['a list', [], [400, 'invalidValue']],
    ['null', 'null', [400, 'invalidValue']],
    ['no JSON', '{', [400, 'invalidSyntax']],
    ['a key twice', '{"userName":"a","userName":"b"}', [400, 'invalidSyntax']],
    ['a key of a prototype', '{"__proto__":{"active":false}}', [400, 'invalidSyntax']],
    ['an attribute twice, in another case', { userName: 'a', USERNAME: 'b' }, [400, 'invalidValue']],
    ['NUL in a name', { userName: 'a\0b' }, [400, 'invalidValue']],
    ['a name that turns the line', { userName: '\u202Eada' }, [400, 'invalidValue']],
    ['a name of 300 characters', { userName: 'x'.repeat(300) }, [400, 'invalidValue']],
    ['a name that is an object', { userName: { constructor: 1 } }, [400, 'invalidValue']],
    ['active neither true nor false', { userName: 'a', active: 'maybe' }, [400, 'invalidValue']],
    ['no mail address', { userName: 'a', emails: [{ value: 'x' }] }, [400, 'invalidValue']],
    ['a hundred addresses', { userName: 'a', emails: Array.from({ length: 100 }, () => ({})) }, [400, 'tooMany']],
    ['deep nesting', `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`, [400, 'invalidSyntax']],
    ['more than a megabyte', { userName: 'x'.repeat(1_100_000) }, [413, undefined]],
  ]
  test.each(bad)('%s is refused', async (_, body, error) => {
    expect(errorOf(await scim('POST', '/Users', body))).toEqual(error)
    expect(errorOf(await scim('PUT', `/Users/${(await user).id}`, body))).toEqual(error)
  })

  const patches: [name: string, operations: object[], error: [number, string | undefined]][] = [
    ['no operation', [], [400, 'invalidSyntax']],
    ['another word', [{ op: 'move', path: 'active', value: true }], [400, 'invalidSyntax']],
    ['a path that is none', [{ op: 'replace', path: '][', value: 1 }], [400, 'invalidPath']],
    ['a path of a prototype', [{ op: 'replace', path: '__proto__.active', value: false }], [400, 'invalidPath']],
    ['a name of a prototype', [{ op: 'replace', path: 'name.constructor', value: 'x' }], [400, 'invalidPath']],
    ['an unknown attribute', [{ op: 'add', path: 'shoeSize', value: 43 }], [400, 'invalidPath']],
    ['the id', [{ op: 'replace', path: 'id', value: randomUUID() }], [400, 'mutability']],
    ['groups', [{ op: 'add', path: 'groups', value: [] }], [400, 'mutability']],
    ['an operation without path and value', [{ op: 'add' }], [400, 'invalidValue']],
    ['nothing removed', [{ op: 'remove' }], [400, 'noTarget']],
    ['no user name', [{ op: 'remove', path: 'userName' }], [400, 'invalidValue']],
    [
      'an address that is not there',
      [{ op: 'replace', path: 'emails[value eq "x@y.z"].type', value: 'w' }],
      [400, 'noTarget'],
    ],
    ['an endless text in a path', [{ op: 'replace', path: 'emails[type eq "work', value: 'x' }], [400, 'invalidPath']],
    [
      'NUL in a path',
      [{ op: 'add', path: String.raw`emails[type eq "\u0000"].value`, value: 'a@b.example' }],
      [400, 'invalidPath'],
    ],
    [
      'half a sign in a path',
      [{ op: 'add', path: String.raw`emails[type eq "\ud800"].value`, value: 'a@b.example' }],
      [400, 'invalidPath'],
    ],
    ['a type that turns the line', [{ op: 'remove', path: 'emails[type eq "\u202e"]' }], [400, 'invalidValue']],
    ['a huge path', [{ op: 'replace', path: 'a'.repeat(5000), value: 'x' }], [400, 'invalidPath']],
    ['a filter in a filter', [{ op: 'replace', path: 'emails[a[b eq "c"] eq "d"]', value: 'x' }], [400, 'invalidPath']],
    [
      'a thousand operations and one',
      Array.from({ length: 1001 }, () => ({ op: 'replace', path: 'active', value: true })),
      [400, 'tooMany'],
    ],
  ]
  test.each(patches)('a PATCH with %s is refused', async (_, operations, error) => {
    const answer = await scim('PATCH', `/Users/${(await user).id}`, patchBody(...operations))
    expect(errorOf(answer), JSON.stringify(answer.body)).toEqual(error)
  })

  test('emoji are kept, attributes that matter elsewhere are taken, and another type of body is refused', async () => {
    const one = await made({
      displayName: 'Ada 🦊',
      title: 'CFO',
      locale: 'de',
      password: 'x',
      phoneNumbers: [{ value: '1' }],
    })
    expect([one.displayName, one.title, one.password]).toEqual(['Ada 🦊', undefined, undefined])
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'text/plain' }
    const answer = await fetch(`${baseUrl}/scim/v2/Users`, { method: 'POST', headers, body: '{}' })
    expect(answer.status).toBe(415)
    const json = await fetch(`${baseUrl}/scim/v2/Users/${one.id}`, {
      method: 'PATCH',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(patchBody({ op: 'replace', path: 'displayName', value: 'Ada' })),
    })
    expect(json.status).toBe(200)
  })
})

describe('filters', () => {
  const bad = [
    'userName',
    'userName eq',
    'userName eq "a',
    'userName ne "a"',
    'userName co "a"',
    '(userName eq "a")',
    'not (userName eq "a")',
    'userName eq "a" or userName eq "b"',
    'userName eq "a" and',
    '[userName eq "a"]',
    'emails[type eq "work"',
    'emails[primary eq true].value eq "a"',
    'userName eq 1',
    'shoeSize eq "43"',
    '__proto__ eq "a"',
    'constructor.prototype eq "a"',
    Array.from({ length: 6 }, () => 'userName eq "a"').join(' and '),
    '('.repeat(1900),
    'a'.repeat(3000),
    `userName eq "${'\\'.repeat(1001)}"`,
    'userName eq "\\u0000"',
    'emails[type eq "\\u0000"].value eq "a"',
    'emails.value eq "\\ud800"',
  ]
  test.each(bad)('%s is refused', async (filter) => {
    const answer = await scim('GET', `/Users?filter=${encodeURIComponent(filter)}`)
    expect(errorOf(answer), JSON.stringify(answer.body)).toEqual([400, 'invalidFilter'])
  })

  test('a user is found by what providers ask for, in any case', async () => {
    const email = newAddress(domain)
    const externalId = `00u${randomUUID()}`
    const { body: user } = await scim(
      'POST',
      '/Users',
      userBody(email, { externalId, displayName: `Ada ${externalId}` }),
    )
    for (const filter of [
      `userName eq "${email}"`,
      `USERNAME EQ "${email.toUpperCase()}"`,
      `externalId eq "${externalId}"`,
      `id eq "${user.id}"`,
      `displayName eq "ada ${externalId}"`,
      `emails.value eq "${email}"`,
      `emails[type eq "work"].value eq "${email}"`,
      `emails[type eq "WORK"].value eq "${email}" and active eq true`,
      `urn:ietf:params:scim:schemas:core:2.0:User:userName eq "${email}"`,
      `userName eq "${email.replace('@', '\\u0040')}"`,
    ]) {
      const { status, body } = await scim('GET', `/Users?filter=${encodeURIComponent(filter)}`)
      expect([status, body.totalResults, body.Resources?.[0]?.id], filter).toEqual([200, 1, user.id])
    }
    for (const filter of [
      `externalId eq "${externalId.toUpperCase()}"`,
      `emails[type eq "home"].value eq "${email}"`,
      'id eq "\\u00e4"',
      'userName eq null',
      `userName eq "${email}" and active eq false`,
    ])
      expect((await scim('GET', `/Users?filter=${encodeURIComponent(filter)}`)).body.totalResults, filter).toBe(0)
  })

  test('pages begin at 1 and are bounded; attributes are chosen', async () => {
    await made()
    const { body: all } = await scim('GET', '/Users?count=100000&startIndex=-5')
    expect([all.startIndex, all.itemsPerPage <= 200]).toEqual([1, true])
    const { body: second } = await scim('GET', '/Users?startIndex=2&count=1')
    expect([second.startIndex, second.itemsPerPage, second.Resources[0].id]).toEqual([2, 1, all.Resources[1].id])
    expect((await scim('GET', '/Users?count=0')).body).toMatchObject({ itemsPerPage: 0, Resources: [] })
    expect((await scim('GET', '/Users?startIndex=1000000')).body).toMatchObject({ itemsPerPage: 0 })
    for (const query of ['count=x', 'startIndex=1.5', 'count=1&count=2', 'count=99999999999999999999'])
      expect(errorOf(await scim('GET', `/Users?${query}`))).toEqual([400, 'invalidValue'])
    const { body: few } = await scim('GET', '/Users?count=1&attributes=userName,name.givenName')
    expect(Object.keys(few.Resources[0]).toSorted()).toEqual(['id', 'name', 'schemas', 'userName'])
    expect(few.Resources[0].name).toEqual({ givenName: 'Ada' })
    const { body: without } = await scim('GET', '/Users?count=1&excludedAttributes=emails,name.familyName')
    expect([without.Resources[0].emails, without.Resources[0].name]).toEqual([undefined, { givenName: 'Ada' }])
  })
})

describe('groups', () => {
  test('end a page of groups, or of users, before it has too many references, and are found by a member', async () => {
    const many = 6000
    const insert = (table: 'groups' | 'users') => {
      const names =
        table === 'groups' ? owner`display_name` : owner`address, user_name, attributes, active, awaits_sign_in`
      const name = owner`'n' || n`
      const given =
        table === 'groups'
          ? name
          : owner`${name}, ${name}, '{"displayName": null, "name": {}, "emails": []}', true, false`
      return owner<{ id: string }[]>`
        insert into ${owner(`scim_${table}`)} (id, organization_id, inserted_at, ${names})
        select gen_random_uuid(), ${other.id}, timestamptz '2020-01-01' + n * interval '1 s', ${given}
        from generate_series(1, ${many}) n returning id`
    }
    const [users, groups] = [await insert('users'), await insert('groups')]
    const join = (of: readonly { id: string }[], members: readonly { id: string }[]) => owner`
      insert into scim_group_members (organization_id, group_id, scim_user_id)
      select ${other.id}, g, u from unnest(${of.map((one) => one.id)}::uuid[]) g,
        unnest(${members.map((one) => one.id)}::uuid[]) u on conflict do nothing`
    await join(groups.slice(0, 2), users)
    const pageOf = async (path: string) => {
      const { status, body } = await stranger('GET', path)
      return [status, body.totalResults, body.itemsPerPage, body.Resources[0]?.id]
    }
    expect(await pageOf('/Groups?count=9')).toEqual([200, many, 1, groups[0]?.id])
    expect(await pageOf('/Groups?count=9&startIndex=2')).toEqual([200, many, 9, groups[1]?.id])
    expect(await pageOf('/Groups?count=9&excludedAttributes=members')).toEqual([200, many, 9, groups[0]?.id])
    expect((await stranger('GET', `/Groups/${groups[0]?.id}`)).body.members).toHaveLength(many)
    const found = (value = '') => pageOf(`/Groups?count=1&filter=${encodeURIComponent(`members eq "${value}"`)}`)
    expect(await found(users[2]?.id.toUpperCase())).toEqual([200, 2, 1, groups[0]?.id])
    expect(await found('x')).toEqual([200, 0, 0, undefined])
    await join(groups, users.slice(0, 2))
    expect(await pageOf('/Users?count=9')).toEqual([200, many, 1, users[0]?.id])
    expect(await pageOf('/Users?count=9&startIndex=2')).toEqual([200, many, 9, users[1]?.id])
  })

  test('are bounded, have users of this organization as members, and a name of their own', async () => {
    const displayName = randomUUID()
    const { body: group } = await scim('POST', '/Groups', { displayName })
    expect(errorOf(await scim('POST', '/Groups', { displayName: displayName.toUpperCase() }))).toEqual([
      409,
      'uniqueness',
    ])
    const add = (count: number) =>
      patchBody({ op: 'add', path: 'members', value: Array.from({ length: count }, () => ({ value: randomUUID() })) })
    expect(errorOf(await scim('PATCH', `/Groups/${group.id}`, add(10_000)))).toEqual([400, 'tooMany'])
    expect(errorOf(await scim('PATCH', `/Groups/${group.id}`, add(1)))).toEqual([400, 'invalidValue'])
    for (const value of ['x', 1, null, { value: group.id, type: 'Group' }, { value: '__proto__' }])
      expect(
        errorOf(await scim('PATCH', `/Groups/${group.id}`, patchBody({ op: 'add', path: 'members', value: [value] }))),
      ).toEqual([400, 'invalidValue'])
    const wrong = patchBody({ op: 'replace', path: 'members[display eq "x"]', value: 'x' })
    expect(errorOf(await scim('PATCH', `/Groups/${group.id}`, wrong))).toEqual([400, 'invalidPath'])
    expect((await scim('GET', `/Groups/${group.id}`)).body.members).toBeUndefined()
  })

  test('answer without members where the request leaves them out', async () => {
    const user = await made()
    const { body: group } = await scim('POST', '/Groups', { displayName: randomUUID(), members: [{ value: user.id }] })
    expect(group.members).toEqual([{ value: user.id, $ref: user.meta.location, type: 'User' }])
    const path = `/Groups?filter=${encodeURIComponent(`id eq "${group.id}" and members eq "${user.id}"`)}`
    expect((await scim('GET', path)).body.Resources[0].members).toHaveLength(1)
    expect((await scim('GET', `${path}&excludedAttributes=members`)).body.Resources[0].members).toBeUndefined()
    expect((await scim('GET', `/Users/${user.id}`)).body.groups).toMatchObject([{ value: group.id }])
  })
})

test('what is not supported says so, and what is not there is not found', async () => {
  expect((await scim('POST', '/Bulk', {})).status).toBe(501)
  expect((await scim('GET', '/Me')).status).toBe(501)
  for (const path of ['/.search', '/Users/.search', '/Groups/.search'])
    expect((await scim('POST', path, {})).status).toBe(501)
  expect((await scim('GET', '/ServiceProviderConfig')).body).toMatchObject({
    patch: { supported: true },
    bulk: { supported: false },
  })
  const { body: schemas } = await scim('GET', '/Schemas')
  expect(schemas.Resources.map(({ name }: { name: string }) => name)).toEqual(['User', 'Group'])
  for (const { meta } of [...schemas.Resources, ...(await scim('GET', '/ResourceTypes')).body.Resources])
    expect((await scim('GET', new URL(meta.location).pathname.replace('/scim/v2', ''))).status).toBe(200)
  for (const path of [
    '/Users/x',
    `/Users/${randomUUID()}`,
    '/Users/__proto__',
    '/Groups/%00',
    '/Schemas/x',
    '/Nothing',
    '/Users/%F0%9F%A6%8A',
  ]) {
    const answer = await scim('GET', path)
    expect([answer.status, answer.body.schemas], path).toEqual([404, ['urn:ietf:params:scim:api:messages:2.0:Error']])
  }
  expect((await scim('GET', '/Schemas?filter=name eq "User"')).status).toBe(403)
  expect((await scim('DELETE', '/Users')).status).toBe(405)
})
