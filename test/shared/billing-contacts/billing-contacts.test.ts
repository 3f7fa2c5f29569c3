import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { embeddedContact, lockContact } from '../../../db/billing-contacts/billing-contacts.ts'
import type { BillingContactId, OrganizationId } from '../../../domain/ids.ts'
import { asSystem, read as readAs, sql } from '../../../db/sql.ts'
import { type TestPerson, api, join, organization, person } from '../../support/api.ts'
import { billingContact, createContact, customer } from '../../support/billing-contacts.ts'
import { owner } from '../../support/database.ts'

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
const NOT_FOUND = { status: 404, body: { error: { type: 'not_found' } } }

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

  const addresses = (count: number) => Array.from({ length: count }, (_, index) => `a${index}@example.com`)

  test.each([
    [{ company_name: ' ' }, 'company_name'],
    [{ company_name: null }, 'company_name'],
    [{ company_name: 'two\nlines' }, 'company_name'],
    [{ address: 'x'.repeat(1001) }, 'address'],
    [{ phone_number: 'x'.repeat(65) }, 'phone_number'],
    [{ tax_id: 'a\nb' }, 'tax_id'],
    [{ emails: 'a@example.com' }, 'emails'],
    [{ emails: ['nobody'] }, 'emails.0'],
    [{ emails: ['a@example.com', 'A@example.com'] }, 'emails.1'],
    [{ emails: addresses(21) }, 'emails'],
    [{ vat_id: 'DE1' }, 'vat_id'],
    [{ vat_id: 'US123456789' }, 'vat_id'],
    [{ language: 'nl' }, 'language'],
    [{ language: null }, 'language'],
    [{ postal_address: [] }, 'postal_address'],
    [{ postal_address: { ...customer().postal_address, country_code: 'de' } }, 'postal_address.country_code'],
    [{ postal_address: { ...customer().postal_address, line1: '' } }, 'postal_address.line1'],
  ])('refuses %j at %s, and makes nothing', async (more, at) => {
    const { boss, id } = await scene()
    const refused = await createContact(boss, id, customer(more))
    expect(refused).toMatchObject({ status: 400, body: { error: { details: { errors: [{ path: at }] } } } })
    expect((await list(boss, id)).body.data).toEqual([])
  })

  test('takes twenty addresses, and VAT ids of any neighbour', async () => {
    const { boss, id } = await scene()
    expect((await billingContact(boss, id, { emails: addresses(20) })).emails).toHaveLength(20)
    for (const vat_id of ['CHE-116.281.710 MWST', 'GB 980 7806 84', 'XI980780684', 'EL094014201', 'ATU13585627']) {
      expect((await billingContact(boss, id, { vat_id })).vat_id).toBe(vat_id.replaceAll(/[ .-]/g, ''))
    }
  })

  test('with the same key, also at once, makes one; another body is refused', async () => {
    const { boss, id } = await scene()
    const answers = await Promise.all(Array.from({ length: 5 }, () => createContact(boss, id, customer(), 'k')))
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(201))
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    const refused = await createContact(boss, id, customer({ language: 'fr' }), 'k')
    expect(refused).toMatchObject({ status: 422, body: { error: { type: 'idempotency_key_reused' } } })
    expect((await list(boss, id)).body.data).toHaveLength(1)
    expect(await eventsOf(answers[0]?.body.id)).toHaveLength(1)
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

  test('20 at once end as one of them, whole, with an event for each that changed something', async () => {
    const { boss, id } = await scene()
    const made = await billingContact(boss, id)
    const bodies = Array.from({ length: 20 }, (_, n) => ({ company_name: `Name ${n}`, tax_id: `T${n}` }))
    const answers = await Promise.all(bodies.map((body) => change(boss, made.id, body)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const { company_name, tax_id } = (await read(boss, made.id)).body
    expect(bodies).toContainEqual({ company_name, tax_id })
    expect(await eventsOf(made.id)).toHaveLength(21)
  })
})

describe('deleting', () => {
  test('is soft: it is read with the time, not listed, still a cursor, and neither changed nor deleted again', async () => {
    const { boss, id } = await scene()
    const [older, made] = [await billingContact(boss, id), await billingContact(boss, id)]
    const gone = await remove(boss, made.id)
    expect([gone.status, gone.body]).toEqual([200, { deleted: true, id: made.id }])
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

  test('20 at once delete it once', async () => {
    const { boss, id } = await scene()
    const made = await billingContact(boss, id)
    const answers = await Promise.all(Array.from({ length: 20 }, () => remove(boss, made.id)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array(19).fill(409)])
    expect(await eventsOf(made.id)).toHaveLength(2)
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

  test('of another organization is as of none: contact, cursor, change and deletion', async () => {
    const [here, there] = [await scene(), await scene()]
    const foreign = await billingContact(there.boss, there.id)
    for (const id of [randomUUID(), foreign.id]) {
      expect(await read(here.boss, id)).toMatchObject(NOT_FOUND)
      expect(await change(here.boss, id, { company_name: 'Mine' })).toMatchObject(NOT_FOUND)
      expect(await remove(here.boss, id)).toMatchObject(NOT_FOUND)
      expect((await list(here.boss, here.id, `cursor=${id}`)).body.error.details.errors[0].code).toBe('unknown_cursor')
    }
    expect((await read(there.boss, foreign.id)).body).toEqual(foreign)
  })

  test('a member lists, reads, creates and changes, and deletes none', async () => {
    const { boss, id } = await scene()
    const member = await person()
    await join(id, member, 'member')
    const made = await billingContact(member, id)
    expect((await change(member, made.id, { tax_id: null })).body).toMatchObject({ tax_id: null })
    expect((await read(member, made.id)).status).toBe(200)
    expect((await list(member, id)).body.data).toHaveLength(1)
    const refused = await remove(member, made.id)
    expect(refused).toMatchObject({
      status: 403,
      body: { error: { details: { permission: 'billing_contacts.delete' } } },
    })
    expect((await read(boss, made.id)).body.deleted_at).toBeNull()
  })
})

describe('for invoices', () => {
  test('a contact is embedded as it is read, also a deleted one', async () => {
    const { boss, id } = await scene()
    const made = await billingContact(boss, id)
    const embedded = async () => {
      const query = sql`select ${embeddedContact(sql`named.id`)} as contact from (select ${made.id}::uuid as id) named`
      return (await readAs<{ contact: unknown }>(id as OrganizationId, query))[0]?.contact
    }
    expect(await embedded()).toEqual(made)
    await remove(boss, made.id)
    expect(await embedded()).toEqual((await read(boss, made.id)).body)
  })

  test('one that is locked is not deleted meanwhile; a deleted, foreign or unknown one is refused', async () => {
    const [{ boss, id }, there] = [await scene(), await scene()]
    const [made, foreign] = [await billingContact(boss, id), await billingContact(there.boss, there.id)]
    const lock = (contactId: string, then: () => unknown = () => undefined) =>
      asSystem(id as OrganizationId, async (tx) => {
        const contact = await lockContact(tx, contactId as BillingContactId)
        await then()
        return contact
      })
    let deleting: Promise<unknown> = Promise.resolve()
    const seen = await lock(made.id, async () => {
      deleting = remove(boss, made.id)
      await expect.poll(waiting).toBeGreaterThan(0)
      expect((await read(boss, made.id)).body.deleted_at).toBeNull()
    })
    expect(seen).toEqual(made)
    expect(await deleting).toMatchObject({ status: 200 })
    await expect(lock(made.id)).rejects.toMatchObject({ type: 'invalid_state', details: { current: 'deleted' } })
    for (const other of [foreign.id, randomUUID()])
      await expect(lock(other)).rejects.toMatchObject({ type: 'not_found' })
  })
})

async function waiting(): Promise<number> {
  const [row] = await owner<{ count: number }[]>`
    select count(*)::integer as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%billing_contacts%'`
  return row?.count ?? 0
}
