/** Onboarding of an organization, with the stand-ins of bank and custodian. */
import { expect, test, vi } from 'vitest'

vi.hoisted(() => {
  process.env['ONBOARDING'] = 'required'
  process.env['PARTNER_POLL_SECONDS'] = '0.2'
})
const { api, fund, join, organization, person } = await import('../../support/api.ts')
const { owner } = await import('../../support/database.ts')
const { refusal } = await import('../../support/http/refusals.ts')
const { addPaper, at, entityOf, filledIn, reached, readOnboarding, submit, submitted } =
  await import('../../support/onboarding/onboarding.ts')
const { BANK, contactWith } = await import('../../support/contacts/destinations.ts')
const { usePartners } = await import('../../support/partners/partners.ts')
const { execute, quoteOf } = await import('../../support/payments/quotes.ts')
const { useWorker } = await import('../../support/worker.ts')

usePartners()
useWorker()

const EUROS = { amount: '10.00', currency: 'EUR' }
const open = (onboarding: { requirements: { field: string; status: string }[] }): string[] =>
  onboarding.requirements.filter(({ status }) => status === 'open').map(({ field }) => field)

test('a company says who it is, is verified by its partners, and pays under its verified name', async () => {
  const { boss, payer, contact } = await contactWith([BANK])
  const { token } = boss
  await fund(payer.id, '500.00', 'EUR')
  const nothing = await readOnboarding(boss, payer.id)
  expect(nothing).toMatchObject({ status: 'draft', entity: null, people: [], documents: [], reviews: [] })
  expect(open(nothing)).toContain('entity.legal_name')
  const refused = await execute(boss, (await quoteOf(boss, contact, EUROS)).quote_id)
  expect(refusal(refused)).toEqual([422, 'onboarding_incomplete'])
  expect(refused.body.error.details.fields).toContain('entity.registration')

  const early = await submit(boss, payer.id)
  expect(refusal(early)).toEqual([404, 'not_found'])
  await filledIn(boss, payer.id)
  const whole = await readOnboarding(boss, payer.id)
  expect(open(whole)).toEqual([])
  expect(whole.documents.map(({ status }: { status: string }) => status)).toEqual(['uploaded', 'uploaded', 'uploaded'])
  const done = await submitted(boss, payer.id, 'verified')
  expect(done.reviews).toMatchObject([
    { reviewer: 'bank', status: 'verified' },
    { reviewer: 'custodian', status: 'verified' },
  ])
  expect(done.documents.every(({ status }: { status: string }) => status === 'sealed')).toBe(true)
  const kyb = await api('GET', `/organizations/${payer.id}/kyb-status`, { token })
  expect(kyb.body).toMatchObject({ status: 'verified', needed: [] })

  const paid = await execute(boss, (await quoteOf(boss, contact, EUROS)).quote_id)
  expect(paid.status).toBe(201)
  const [payerRow] = await owner`
    select y.name from payments p join payers y on y.id = p.payer_id where p.id = ${paid.body.id}`
  expect(payerRow?.['name']).toBe('Ada Bakery GmbH')
})

test('what the partners refuse stays unpaid, and what they ask for is asked for', async () => {
  const boss = await person()
  const [rejected, asked] = [await organization(boss, 'No'), await organization(boss, 'More')]
  await filledIn(boss, rejected.id, 'No Verify GmbH')
  await submitted(boss, rejected.id, 'rejected')
  expect(refusal(await submit(boss, rejected.id))).toEqual([409, 'invalid_state'])

  await filledIn(boss, asked.id, 'More Papers GmbH')
  const more = await submitted(boss, asked.id, 'needs_more')
  expect(new Set(open(more))).toEqual(new Set(['documents.other']))
  expect(refusal(await submit(boss, asked.id))).toEqual([422, 'onboarding_incomplete'])
  await addPaper(boss, asked.id, { kind: 'other' })
  expect(open(await readOnboarding(boss, asked.id))).toEqual([])
  await submitted(boss, asked.id, 'verified')
})

test('a partner that decides late is asked again', async () => {
  const boss = await person()
  const { id } = await organization(boss, 'Late')
  await filledIn(boss, id, 'Late Verify GmbH')
  await submitted(boss, id, 'verified')
})

test('a change of who it is asks for a review, and payments go on until it is due', async () => {
  const boss = await person()
  const { id } = await organization(boss, 'Moves')
  const { token } = boss
  await filledIn(boss, id)
  await submitted(boss, id, 'verified')
  const trading = { ...entityOf('Ada Bakery GmbH'), trading_name: 'Bread' }
  expect((await api('PUT', at(id, '/entity'), { token, body: trading })).body.status).toBe('verified')
  const renamed = await api('PUT', at(id, '/entity'), { token, body: entityOf('Bread and More GmbH') })
  expect(renamed.body).toMatchObject({ status: 'review_due' })
  expect(Date.parse(renamed.body.due_at)).toBeGreaterThan(Date.now() + 29 * 86_400_000)
  await submitted(boss, id, 'verified')
  const [row] = await owner`select verified_name, due_at from onboardings where organization_id = ${id}`
  expect(row).toMatchObject({ verified_name: 'Bread and More GmbH', due_at: null })
})

test('a member sees and fills in their own part alone', async () => {
  const boss = await person()
  const { id } = await organization(boss, 'Own part')
  const member = await person()
  await join(id, member, 'member')
  const body = { roles: ['director'], user_id: member.userId }
  const added = await api('POST', at(id, '/people'), { token: boss.token, body })
  const other = await api('POST', at(id, '/people'), {
    token: boss.token,
    body: { roles: ['director'], name: 'Other' },
  })
  expect((await api('PUT', at(id, '/entity'), { token: boss.token, body: entityOf('Own GmbH') })).status).toBe(200)
  const own = await readOnboarding(member, id)
  expect(own).toMatchObject({ entity: null, people: [{ id: added.body.id, is_member: true }], reviews: [] })
  expect(open(own).every((field) => field.includes(added.body.id))).toBe(true)

  const token = member.token
  const path = at(id, `/people/${added.body.id}`)
  const filled = { name: 'Grace Hopper', born_on: '1986-12-09', nationality: 'US' }
  expect((await api('PATCH', path, { token, body: filled })).body).toMatchObject(filled)
  expect(refusal(await api('PATCH', path, { token, body: { share: '50' } }))).toEqual([403, 'forbidden'])
  const others = at(id, `/people/${other.body.id}`)
  expect(refusal(await api('PATCH', others, { token, body: filled }))).toEqual([404, 'not_found'])
  await addPaper(member, id, { kind: 'identity', person_id: added.body.id })
  const paper = { kind: 'articles', filename: 'a.pdf', byte_size: 10, content_type: 'application/pdf' }
  expect(refusal(await api('POST', at(id, '/documents'), { token, body: paper }))).toEqual([403, 'forbidden'])
  expect(refusal(await submit(member, id))).toEqual([403, 'forbidden'])
})

test('nothing can be changed while it is reviewed, and a file that is none of its type is refused', async () => {
  const boss = await person()
  const { id } = await organization(boss, 'Reviewed')
  await filledIn(boss, id)
  const wrong = await addPaper(boss, id, { kind: 'other' }, Buffer.from('no PDF at all'))
  expect(refusal(await submit(boss, id))).toEqual([422, 'invalid_file'])
  expect((await api('DELETE', at(id, `/documents/${wrong}`), { token: boss.token })).status).toBe(200)
  await owner`update onboardings set status = 'in_review' where organization_id = ${id}`
  const refused = await api('PUT', at(id, '/entity'), { token: boss.token, body: entityOf('Other GmbH') })
  expect(refusal(refused)).toEqual([409, 'invalid_state'])
  expect(refused.body.error.details.current).toBe('in_review')
})

test('what names people is sealed, and papers are encrypted at rest', async () => {
  const boss = await person()
  const { id } = await organization(boss, 'Sealed')
  await filledIn(boss, id, 'Sealed Secrets GmbH')
  await submitted(boss, id, 'verified')
  const rows = await owner`
    select encode(o.entity, 'escape') || encode(o.submitted, 'escape') as text from onboardings o where organization_id = ${id}
    union all select encode(sealed, 'escape') from onboarding_people where organization_id = ${id}
    union all select payload::text from events where organization_id = ${id} and payload is not null`
  expect(rows.length).toBeGreaterThan(3)
  for (const { text } of rows as unknown as { text: string }[]) expect(text).not.toMatch(/Lovelace|Sealed Secrets|1990/)
  const { getDisk } = await import('../../support/onboarding/papers.ts')
  for (const content of await getDisk(id)) expect(content.subarray(0, 4).toString()).not.toBe('%PDF')
  await reached(boss, id, 'verified')
})
