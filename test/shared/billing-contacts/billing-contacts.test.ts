import { describe, expect, test } from 'vitest'
import { lockContact } from '../../../services/billing-contacts/billing-contacts.ts'
import type { BillingContactId, OrganizationId } from '../../../domain/ids.ts'
import { asSystem } from '../../../db/postgres/sql.ts'
import { type TestPerson, api, organization, person } from '../../support/api.ts'
import { billingContact, createContact, customer } from '../../support/billing-contacts.ts'
import { owner, untilBlocked } from '../../support/database.ts'
import { MANY } from '../../support/model-runs.ts'

const path = (id: string) => `/billing-contacts/${id}`
const read = ({ token }: TestPerson, id: string) => api('GET', path(id), { token })
const change = ({ token }: TestPerson, id: string, body: object) => api('PATCH', path(id), { token, body })
const remove = ({ token }: TestPerson, id: string) => api('DELETE', path(id), { token })
const list = ({ token }: TestPerson, organizationId: string, query = '') =>
  api('GET', `/organizations/${organizationId}/billing-contacts?${query}`, { token })
const eventsOf = (id: string) =>
  owner`select type, actor_user_id, payload::jsonb as payload from events where subject_id = ${id} order by id`
const DELETED = {
  status: 409,
  body: { error: { type: 'invalid_state', details: { current: 'deleted', allowed: [], reason: 'contact_deleted' } } },
}

async function scene() {
  const boss = await person()
  const { id } = await organization(boss)
  return { boss, id }
}

describe('creating', () => {
  test('answers all of it, mail addresses in lower case and the VAT id without blanks, and writes an event', async () => {
    const { boss, id } = await scene()
    const made = await createContact(boss, id, customer({ vat_id: 'de 136.695.976' }))
    expect(made.status).toBe(201)
    expect(made.body).toEqual({
      id: expect.any(String),
      organization_id: id,
      company_name: 'Müller & Söhne GmbH',
      address: 'Domkloster 4\n50667 Köln',
      phone_number: '+49 221 179 40',
      tax_id: '214/5800/0123',
      emails: ['rechnung@example.com', 'buero@example.com'],
      postal_address: { line1: 'Domkloster 4', line2: null, postal_code: '50667', city: 'Köln', country_code: 'DE' },
      vat_id: 'DE136695976',
      language: 'de',
      deleted_at: null,
      inserted_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{6}Z$/),
      updated_at: made.body.inserted_at,
    })
    expect((await read(boss, made.body.id)).body).toEqual(made.body)
    expect(await eventsOf(made.body.id)).toEqual([
      {
        type: 'billing_contact.created',
        actor_user_id: boss.userId,
        payload: { company_name: 'Müller & Söhne GmbH' },
      },
    ])
  })

  test('of a name alone leaves all else null, and English as the language; an empty list of addresses is none', async () => {
    const { boss, id } = await scene()
    const details = ['address', 'phone_number', 'tax_id', 'emails', 'postal_address', 'vat_id']
    const nothing = Object.fromEntries(details.map((name) => [name, null]))
    for (const body of [{}, nothing, { emails: [] }]) {
      const made = await createContact(boss, id, { company_name: 'A', ...body })
      expect(made).toMatchObject({ status: 201, body: { company_name: 'A', language: 'en', ...nothing } })
    }
  })
})

describe('changing', () => {
  test('takes what is given, empties what is null, and leaves the rest; the event names what is another', async () => {
    const { boss, id } = await scene()
    const made = await billingContact(boss, id)
    const given = { company_name: 'Müller AG', emails: null, postal_address: null, language: 'de' }
    const changed = await change(boss, made.id, given)
    expect(changed.status).toBe(200)
    expect(changed.body).toEqual({ ...made, ...given, updated_at: expect.any(String) })
    expect(changed.body.updated_at > made.updated_at).toBe(true)
    await change(boss, made.id, { phone_number: '1', emails: ['A@example.com'] })
    expect((await eventsOf(made.id)).slice(1)).toEqual([
      {
        type: 'billing_contact.updated',
        actor_user_id: boss.userId,
        payload: { changed: ['company_name', 'emails', 'postal_address'], company_name: 'Müller AG' },
      },
      {
        type: 'billing_contact.updated',
        actor_user_id: boss.userId,
        payload: { changed: ['emails', 'phone_number'] },
      },
    ])
    const found = async (q: string) => (await list(boss, id, `q=${q}`)).body.data.length
    expect([await found('söhne'), await found('a@example.com')]).toEqual([0, 1])
  })

  test('to what is there already is no change, and writes no event', async () => {
    const { boss, id } = await scene()
    const made = await billingContact(boss, id)
    for (const body of [{}, customer(), { vat_id: 'de136695976' }]) {
      expect(await change(boss, made.id, body)).toMatchObject({ status: 200, body: made })
    }
    expect(await eventsOf(made.id)).toHaveLength(1)
  })

  test('many at once end as one of them, whole, with an event for each that changed something', async () => {
    const { boss, id } = await scene()
    const made = await billingContact(boss, id)
    const bodies = Array.from({ length: MANY }, (_, n) => ({ company_name: `Name ${n}`, tax_id: `T${n}` }))
    const answers = await Promise.all(bodies.map((body) => change(boss, made.id, body)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const { company_name, tax_id } = (await read(boss, made.id)).body
    expect(bodies).toContainEqual({ company_name, tax_id })
    expect(await eventsOf(made.id)).toHaveLength(MANY + 1)
  })
})

describe('deleting', () => {
  test('is done once, and soft: it is read with the time, not listed, still a cursor, and neither changed nor deleted again', async () => {
    const { boss, id } = await scene()
    const [older, made] = [await billingContact(boss, id), await billingContact(boss, id)]
    const answers = await Promise.all(Array.from({ length: MANY }, () => remove(boss, made.id)))
    const gone = answers.filter(({ status }) => status !== 409)
    expect(gone).toMatchObject([{ status: 200, body: { deleted: true, id: made.id } }])
    const found = (await read(boss, made.id)).body
    expect(found).toEqual({ ...made, deleted_at: expect.any(String), updated_at: found.deleted_at })
    expect((await list(boss, id)).body.data).toEqual([older])
    expect((await list(boss, id, `cursor=${made.id}`)).body.data).toEqual([older])
    expect(await change(boss, made.id, { company_name: 'Back' })).toMatchObject(DELETED)
    expect(await remove(boss, made.id)).toMatchObject(DELETED)
    expect((await read(boss, made.id)).body).toEqual(found)
    expect((await eventsOf(made.id)).map(({ type }) => type)).toEqual([
      'billing_contact.created',
      'billing_contact.deleted',
    ])
  })
})

describe('reading', () => {
  test('lists newest first, page by page, and finds words of name, mail and tax ids without accents and in any case', async () => {
    const { boss, id } = await scene()
    const empty = { tax_id: null, vat_id: null, emails: null }
    await billingContact(boss, id, { ...empty, company_name: 'Café Élan' })
    await billingContact(boss, id, { ...empty, company_name: 'Straße 100%_', tax_id: 'NIF B-12' })
    await billingContact(boss, id, {
      ...empty,
      company_name: 'Other',
      emails: ['Elan@Example.com'],
      vat_id: 'ATU13585627',
    })
    const names = async (query: string) =>
      (await list(boss, id, query)).body.data.map((one: { company_name: string }) => one.company_name)
    expect(await names('')).toEqual(['Other', 'Straße 100%_', 'Café Élan'])
    expect(await names('q=ELAN')).toEqual(['Other', 'Café Élan'])
    expect(await names('q=elan cafe')).toEqual(['Café Élan'])
    expect(await names('q=strasse')).toEqual(['Straße 100%_'])
    expect(await names('q=0%25_')).toEqual(['Straße 100%_'])
    expect(await names('q=%25')).toEqual(['Straße 100%_'])
    expect(await names('q=atu13585627')).toEqual(['Other'])
    expect(await names('q=b-12')).toEqual(['Straße 100%_'])
    const first = (await list(boss, id, 'limit=1&q=elan')).body
    expect([first.has_more, await names(`q=elan&cursor=${first.next_cursor}`)]).toEqual([true, ['Café Élan']])
  })
})

test('one that is locked for an invoice is not deleted meanwhile', async () => {
  const { boss, id } = await scene()
  const made = await billingContact(boss, id)
  let deleting: Promise<unknown> = Promise.resolve()
  await asSystem(id as OrganizationId, async (tx) => {
    expect(await lockContact(tx, made.id as BillingContactId)).toEqual(made)
    deleting = remove(boss, made.id)
    await untilBlocked(tx)
    expect((await read(boss, made.id)).body.deleted_at).toBeNull()
  })
  expect(await deleting).toMatchObject({ status: 200 })
})
