/** Organizations that say who they are, and are verified. */
import { expect } from 'vitest'
import { type TestPerson, api, withStepUp } from '../api.ts'
import { owner } from '../database.ts'
import { send } from '../files/files.ts'
import { until } from '../until.ts'

export const ADDRESS = { line1: 'Domstraße 5', postal_code: '50668', city: 'Köln', country_code: 'DE' }

export const entityOf = (legalName: string) => ({
  legal_name: legalName,
  form: 'company',
  registration: { number: 'HRB 12345', country: 'DE', register: 'Amtsgericht Köln' },
  tax_id: 'DE136695976',
  incorporated_on: '2015-04-01',
  address: ADDRESS,
  website: 'example.com',
  activity: { scheme: 'nace', code: '62.01', description: 'Software for bakeries' },
  expected: { monthly_volume: { amount: '50000.00', currency: 'EUR' }, currencies: ['EUR'], countries: ['DE', 'FR'] },
})

export const DIRECTOR = {
  roles: ['director', 'beneficial_owner'],
  name: 'Ada Lovelace',
  born_on: '1990-12-10',
  nationality: 'GB',
  address: { ...ADDRESS, line1: 'Ring 7' },
  share: '100.00',
}

export const at = (organizationId: string, rest = '') => `/organizations/${organizationId}/onboarding${rest}`

export const readOnboarding = async ({ token }: TestPerson, id: string) => (await api('GET', at(id), { token })).body

export const PDF = Buffer.from('%PDF-1.4\n%\u00e2\n1 0 obj <<>> endobj\n')

/** Adds a paper, and sends its file. */
export async function addPaper(
  { token }: TestPerson,
  id: string,
  about: { readonly kind: string; readonly person_id?: string },
  file: Buffer = PDF,
) {
  const body = { ...about, filename: `${about.kind}.pdf`, byte_size: file.length, content_type: 'application/pdf' }
  const slot = await api('POST', at(id, '/documents'), { token, body })
  expect(slot.status, JSON.stringify(slot.body)).toBe(201)
  expect((await send(slot.body, file)).status).toBe(200)
  return slot.body.id as string
}

export const submit = ({ token }: TestPerson, id: string) => withStepUp('POST', at(id, '/submit'), { token, body: {} })

/** Says all that is asked of a company, but does not submit it. */
export async function filledIn(boss: TestPerson, id: string, legalName = 'Ada Bakery GmbH'): Promise<string> {
  const { token } = boss
  expect((await api('PUT', at(id, '/entity'), { token, body: entityOf(legalName) })).status).toBe(200)
  const person = await api('POST', at(id, '/people'), { token, body: DIRECTOR })
  expect(person.status, JSON.stringify(person.body)).toBe(201)
  const personId = person.body.id as string
  await addPaper(boss, id, { kind: 'register_extract' })
  await addPaper(boss, id, { kind: 'articles' })
  await addPaper(boss, id, { kind: 'identity', person_id: personId })
  return personId
}

/** Submits, and waits until the review has come to a status. */
export async function submitted(boss: TestPerson, id: string, status: string) {
  const answer = await submit(boss, id)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return reached(boss, id, status)
}

export const reached = (boss: TestPerson, id: string, status: string) =>
  until(`the onboarding is ${status}`, async () => {
    const found = await readOnboarding(boss, id)
    return found.status === status && found
  })

/** Writes that an organization was verified at these reviewers, as a run would have. */
export async function verified(
  organizationId: string,
  { name = 'Verified GmbH', address = ADDRESS, reviewers = ['bank', 'custodian'] } = {},
): Promise<void> {
  await owner`
    insert into onboardings (id, organization_id, status, verified_at, verified_name, verified_address, round, review_at)
    values (gen_random_uuid(), ${organizationId}, 'verified', business_now(), ${name}, ${owner.json({ line2: null, ...address })},
      1, business_now() + interval '1 year')
    on conflict (organization_id) do update set status = 'verified', verified_name = excluded.verified_name,
      verified_address = excluded.verified_address, verified_at = business_now()`
  await owner`
    insert into onboarding_reviews (organization_id, reviewer, round, status, verified_at)
    select ${organizationId}, r, 1, 'verified', business_now() from unnest(${reviewers}::text[]) r
    on conflict (organization_id, reviewer) do update set status = 'verified', verified_at = business_now()`
}
