import { expect, test } from 'vitest'
import { type TestPerson, api, approve, join, person } from '../../support/api.ts'
import { item as attentionItem } from '../../support/approvals/attention.ts'
import { setRules } from '../../support/approvals/approvals.ts'
import { BANK, add, seen, setting } from '../../support/contacts/destinations.ts'
import { owner } from '../../support/database.ts'
import { refusal } from '../../support/http/refusals.ts'

const ADDRESS = { street: 'Größenweg', building_number: '5 b', postal_code: '10115', town: 'Köln', country_code: 'DE' }
const SENT = { street: 'Groessenweg', building_number: '5 b', postal_code: '10115', town: 'Koeln', region: null }
const STORED = { ...ADDRESS, region: null, transliterated: SENT }

const create = (by: TestPerson, list: string, body: object) =>
  api('POST', list, { token: by.token, body: { name: 'Payee', type: 'business', ...body } })

const change = (by: TestPerson, id: string, body: object) =>
  api('PATCH', `/payment-contacts/${id}`, { token: by.token, body })

test('a contact and its account keep their own addresses, sealed, with their transliteration', async () => {
  const { boss, list } = await setting()
  const own = { town: 'Łódź', country_code: 'PL' }
  const made = await create(boss, list, { payee_address: ADDRESS, destinations: [{ ...BANK, payee_address: own }] })
  const written = { ...own, street: null, transliterated: { town: 'Lodz' } }
  expect(made.body).toMatchObject({ payee_address: STORED, destinations: [{ payee_address: written }] })
  const read = await seen(boss, made.body.id)
  expect(read).toMatchObject({ payee_address: STORED, destinations: [{ payee_address: written }] })
  expect((await api('GET', list, { token: boss.token })).body.data).toMatchObject([{ payee_address: STORED }])
  const stored = await owner`select sealed from payee_addresses where organization_id = ${made.body.organization_id}`
  expect(stored.map(({ sealed }) => ['Köln', 'Łódź'].some((town) => Buffer.from(sealed).includes(town)))).toEqual([
    false,
    false,
  ])
  const logged = await owner`select payload from events where organization_id = ${made.body.organization_id}`
  expect(JSON.stringify(logged)).not.toContain('Köln')
})

test('an address is changed and taken away at once; the same one again, or none named, changes nothing', async () => {
  const { boss, list } = await setting()
  const { id } = (await create(boss, list, { destinations: [BANK] })).body
  expect((await seen(boss, id)).payee_address).toBeNull()
  expect((await change(boss, id, { payee_address: ADDRESS })).body.payee_address).toEqual(STORED)
  await change(boss, id, { payee_address: { ...ADDRESS, region: null, town: ' Köln ' } })
  expect((await change(boss, id, { tag: 'vendor' })).body.payee_address).toEqual(STORED)
  const moved = { town: 'Bonn', country_code: 'DE' }
  expect((await change(boss, id, { payee_address: moved })).body.payee_address).toMatchObject({
    ...moved,
    street: null,
  })
  expect((await change(boss, id, { payee_address: null })).body.payee_address).toBeNull()
  await change(boss, id, { payee_address: null })
  const events = await owner<{ payload: string }[]>`
    select payload from events where subject_id = ${id} and type = 'payment_contact.updated' order by occurred_at`
  expect(events.map(({ payload }) => JSON.parse(payload).changed)).toEqual([
    ['payee_address'],
    ['tag'],
    ['payee_address'],
    ['payee_address'],
  ])
})

test('the address of an account cannot be changed, and only bank accounts have one', async () => {
  const { boss, payee, list } = await setting()
  const made = await create(boss, list, {
    destinations: [BANK, { type: 'svc_id', svc_id: payee.svcId, payee_address: ADDRESS }],
  })
  const [bank, handle] = made.body.destinations
  expect([bank.payee_address, 'payee_address' in handle]).toEqual([null, false])
  const body = { payee_address: ADDRESS }
  const refused = await api('PATCH', `/payment-destinations/${bank.id}`, { token: boss.token, body })
  expect(refused.body.error.details.errors).toMatchObject([{ path: 'payee_address', code: 'immutable' }])
  const added = await add(boss, made.body.id, { ...BANK, iban: 'DE89370400440532013000', payee_address: ADDRESS })
  expect([added.status, added.body.payee_address]).toEqual([201, STORED])
})

test('who approves a contact sees its addresses, and decides on exactly these', async () => {
  const { boss, payer, list } = await setting()
  const maker = await person({ authenticator: true })
  await join(payer.id, maker, 'admin')
  await setRules(payer.id, boss, [{ action_type: 'payment_contact', steps: [{ required: 1, roles: ['owner'] }] }])
  const made = await create(maker, list, {
    payee_address: ADDRESS,
    destinations: [{ ...BANK, payee_address: { town: 'Bonn', country_code: 'DE' } }],
  })
  const path = `/organizations/${payer.id}/approvals/${made.body.approval_request_id}`
  const { body } = await api('GET', path, { token: boss.token })
  expect(body.subject.payment_contact).toMatchObject({
    payee_address: STORED,
    destinations: [{ payee_address: { town: 'Bonn' } }],
  })
  const [approval] = await owner<{ subject_body: string }[]>`
    select subject_body from approvals where id = ${made.body.approval_request_id}`
  const fingerprint = expect.stringMatching(/^[0-9a-f]{64}$/)
  expect(JSON.parse(approval?.subject_body ?? '')).toMatchObject({
    payee_address: fingerprint,
    destinations: [{ payee_address: fingerprint }],
  })
  const waits = await change(maker, made.body.id, { payee_address: null })
  expect(refusal(waits)).toEqual([409, 'invalid_state'])
  expect((await approve(boss, { ...made.body, organization_id: payer.id })).status).toBe(200)
  expect((await change(maker, made.body.id, { payee_address: null })).body.payee_address).toBeNull()
  const decided = await api('GET', path, { token: boss.token })
  expect(decided.body.subject.payment_contact.payee_address).toEqual(STORED)
})

test('the requirements say for a country and its rail which members are needed, and which signs are taken', async () => {
  const { boss } = await setting()
  const rails = async (country: string, currency: string) =>
    (
      await api('GET', `/payment-destinations/requirements?country_code=${country}&currency=${currency}`, {
        token: boss.token,
      })
    ).body.payee_address
  const shared = { needed: ['town', 'country_code'], max_length: 140, required_from: null }
  const optional = ['street', 'building_number', 'postal_code', 'region']
  expect(await rails('DE', 'EUR')).toEqual({ ...shared, optional, rail: 'sepa', character_set: 'sepa_latin' })
  expect(await rails('US', 'USD')).toMatchObject({ ...shared, rail: 'local', character_set: 'swift_x' })
  expect(await rails('DE', 'USD')).toMatchObject({ ...shared, rail: 'swift' })
  const checked = await api('POST', '/payment-destinations/validate', {
    token: boss.token,
    body: { ...BANK, payee_address: ADDRESS },
  })
  expect(checked.body).toMatchObject({ valid: true, payee_address: STORED })
})

test('contacts without an address are one item with their number and a file of them, until all are complete', async () => {
  const { boss, payer, list } = await setting()
  const { id } = (await create(boss, list, { name: '=1+1, GmbH', destinations: [BANK] })).body
  const other = (await create(boss, list, { destinations: [{ ...BANK, iban: 'DE89370400440532013000' }] })).body
  await create(boss, list, { name: 'Has one', payee_address: ADDRESS, destinations: [BANK] })
  await create(boss, list, { name: 'Account has one', destinations: [{ ...BANK, payee_address: ADDRESS }] })
  await create(boss, list, { name: 'No bank' })
  const item = async () =>
    (await api('GET', `/organizations/${payer.id}/attention?kind=complete_payee`, { token: boss.token })).body.data
  const href = `/organizations/${payer.id}/payment-contacts/incomplete.csv`
  expect(await item()).toMatchObject([
    {
      id: `complete_payee:${payer.id}`,
      severity: 'action',
      actionable_by_viewer: true,
      due_at: null,
      href,
      action: { kind: 'complete_payee', organization_id: payer.id },
      subject: { type: 'payment_contacts', organization_id: payer.id, count: 2 },
    },
  ])
  const file = await api('GET', href, { token: boss.token })
  const text = String(file.body)
  expect(text).toContain('payment_contact_id,name,email,tag,currencies,address_street,address_building_number')
  expect(text).toContain(`${id},"'=1+1, GmbH",,,EUR,,,,,`)
  expect(text.trim().split('\r\n')).toHaveLength(3)
  const names = async (incomplete: boolean): Promise<string[]> => {
    const { body } = await api('GET', `${list}?incomplete=${incomplete}`, { token: boss.token })
    return body.data.map(({ name }: { name: string }) => name)
  }
  expect(await names(true)).toHaveLength(2)
  expect(await names(false)).toEqual(['No bank', 'Account has one', 'Has one'])
  await change(boss, id, { payee_address: ADDRESS })
  expect(await item()).toMatchObject([{ subject: { count: 1 }, summary: expect.stringContaining('A contact is') }])
  await change(boss, other.id, { payee_address: ADDRESS })
  expect(await item()).toEqual([])
  expect(refusal(await attentionItem(boss, payer.id, `complete_payee:${payer.id}`))).toEqual([404, 'not_found'])
  await change(boss, other.id, { payee_address: null })
  expect(await item()).toHaveLength(1)
})
