/** An organization that Increase verifies, as its stand-in plays it: asked, verified, and paying in dollars. */
import { expect, test, vi } from 'vitest'

vi.hoisted(() => {
  Object.assign(process.env, {
    SANDBOX_PARTNERS: 'increase',
    ONBOARDING: 'required',
    PARTNER_POLL_SECONDS: '0.2',
  })
})
const { api, fund } = await import('../../support/api.ts')
const { owner } = await import('../../support/database.ts')
const { contactWith } = await import('../../support/contacts/destinations.ts')
const { refusal } = await import('../../support/http/refusals.ts')
const { at, filledIn, readOnboarding, submit, submitted } = await import('../../support/onboarding/onboarding.ts')
const { AT_SECOND } = await import('../../support/partners/two.ts')
const { usePartners } = await import('../../support/partners/partners.ts')
const { execute, quoteOf } = await import('../../support/payments/quotes.ts')
const { useWorker } = await import('../../support/worker.ts')

usePartners()
useWorker()

const DOLLARS = { amount: '10.00', currency: 'USD' }
const reviewAt = (onboarding: { reviews: { reviewer: string; status: string }[] }, name: string) =>
  onboarding.reviews.find(({ reviewer }) => reviewer === name)?.status

test('a company gives the number that Increase asks for, is verified there, and pays in dollars', async () => {
  const { boss, payer, contact } = await contactWith([AT_SECOND])
  const { token } = boss
  await fund(payer.id, '500.00', 'USD')
  const person = await filledIn(boss, payer.id)
  const asked = await submitted(boss, payer.id, 'needs_more')
  expect([reviewAt(asked, 'usd'), reviewAt(asked, 'custodian')]).toEqual(['needs_more', expect.any(String)])
  const open = asked.requirements.filter(({ status }: { status: string }) => status === 'open')
  expect(open).toMatchObject([{ field: `people.${person}.identity_number`, from: 'usd' }])
  expect(refusal(await submit(boss, payer.id))).toEqual([422, 'onboarding_incomplete'])
  const refused = await execute(boss, (await quoteOf(boss, contact, DOLLARS)).quote_id)
  expect(refusal(refused)).toEqual([422, 'onboarding_incomplete'])

  const body = { identity_number: 'C01X00T47' }
  const changed = await api('PATCH', at(payer.id, `/people/${person}`), { token, body })
  expect(changed.body).toMatchObject(body)
  const done = await submitted(boss, payer.id, 'verified')
  expect(reviewAt(done, 'usd')).toBe('verified')
  const [entity, ...others] = await owner`
    select document -> 'order' as "order" from sandbox_accounts where partner = 'usd' and document ->> 'kind' = 'entity'
      and document -> 'order' ->> 'description' = 'Ada Bakery GmbH'`
  expect(others).toEqual([])
  expect(entity?.['order']).toMatchObject({
    structure: 'corporation',
    corporation: { legal_identifier: { value: 'DE136695976', category: 'other' } },
    supplemental_documents: [{ file_id: expect.any(String) }, { file_id: expect.any(String) }],
  })
  const paid = await execute(boss, (await quoteOf(boss, contact, DOLLARS)).quote_id)
  expect(paid.status, JSON.stringify(paid.body)).toBe(201)

  const rows = await owner`
    select encode(sealed, 'escape') as text from onboarding_people where organization_id = ${payer.id}
    union all select payload::text from events where organization_id = ${payer.id} and payload is not null`
  for (const { text } of rows as unknown as { text: string }[]) expect(text).not.toContain('C01X00T47')
})

test('one that Increase rejects does not pay in dollars', async () => {
  const { boss, payer, contact } = await contactWith([AT_SECOND])
  const { token } = boss
  const person = await filledIn(boss, payer.id, 'No Verify GmbH')
  await api('PATCH', at(payer.id, `/people/${person}`), { token, body: { identity_number: '078-05-1120' } })
  await submitted(boss, payer.id, 'rejected')
  const onboarding = await readOnboarding(boss, payer.id)
  expect(reviewAt(onboarding, 'usd')).toBe('rejected')
  await fund(payer.id, '500.00', 'USD')
  const refused = await execute(boss, (await quoteOf(boss, contact, DOLLARS)).quote_id)
  expect(refusal(refused)).toEqual([422, 'onboarding_incomplete'])
})
