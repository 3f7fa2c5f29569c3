/** Onboardings of organizations whose names may be on a list of sanctions: two operators decide. */
import { expect, test } from 'vitest'

process.env['SANDBOX_PARTNERS'] = 'screening'
process.env['PARTNER_POLL_SECONDS'] = '0.05'
const { organization, person } = await import('../../support/api.ts')
const { owner } = await import('../../support/database.ts')
const { operator } = await import('../../support/ledger/adjustments.ts')
const { filledIn, reached, readOnboarding, submit } = await import('../../support/onboarding/onboarding.ts')
const { usePartners } = await import('../../support/partners/partners.ts')
const { decide } = await import('../../support/screening/screenings.ts')
const { until } = await import('../../support/until.ts')
const { useWorker } = await import('../../support/worker.ts')

usePartners()
useWorker()

/** Submits an organization, and waits until it is screened and its partners have decided. */
async function screened(legalName: string) {
  const boss = await person()
  const { id } = await organization(boss, 'Screened')
  await filledIn(boss, id, legalName)
  expect((await submit(boss, id)).status).toBe(200)
  const matches = await until('its names are screened, and the partners have decided', async () => {
    const rows = await owner<{ id: string; status: string; kind: string }[]>`
      select s.id, s.status, s.kind from screenings s join onboardings o on o.id = s.onboarding_id
      where o.organization_id = ${id} and s.status <> 'superseded' order by s.id`
    const open = await owner`
      select from onboarding_reviews where organization_id = ${id} and status in ('waiting', 'in_review')`
    const all = await owner`select from onboarding_reviews where organization_id = ${id}`
    return (
      all.length === 2 &&
      open.length === 0 &&
      rows.length > 0 &&
      rows.every(({ status }) => status !== 'waiting') &&
      rows
    )
  })
  return { boss, id, matches }
}

test('names of entity and people that no list has hold nothing', async () => {
  const { boss, id, matches } = await screened('Clear Bakery GmbH')
  expect(matches.map(({ kind, status }) => `${kind} ${status}`)).toEqual(['entity clear', 'person clear'])
  await reached(boss, id, 'verified')
})

test('a possible match holds the verdict of the partners until two operators clear it', async () => {
  const { boss, id, matches } = await screened('Listed Trading GmbH')
  const match = matches.find(({ status }) => status === 'possible')
  expect((await readOnboarding(boss, id)).status).toBe('in_review')
  const [one, two] = [await operator(), await operator()]
  await decide(one, 'clear', match!.id, 'another', 'company')
  expect((await readOnboarding(boss, id)).status).toBe('in_review')
  await decide(two, 'clear', match!.id, 'seen')
  await reached(boss, id, 'verified')
})

test('a confirmed match rejects the organization, whatever its partners say', async () => {
  const { boss, id, matches } = await screened('Listed Trading GmbH')
  const match = matches.find(({ status }) => status === 'possible')
  const [one, two] = [await operator(), await operator()]
  await decide(one, 'confirm', match!.id, 'it', 'is', 'them')
  await decide(two, 'confirm', match!.id, 'seen')
  const done = await reached(boss, id, 'rejected')
  expect(done.reviews.map(({ status }: { status: string }) => status)).toEqual(['verified', 'verified'])
})
