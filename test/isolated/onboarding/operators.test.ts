/** Verdicts of operators: two people decide about an organization whose connections verify nobody. */
import { expect, test, vi } from 'vitest'

vi.hoisted(() => {
  process.env['ONBOARDING'] = 'required'
  process.env['PARTNER_POLL_SECONDS'] = '0.2'
})
const { administer } = await import('../../../admin.ts')
const { SERVICE } = await import('../../../domain/onboarding/review.ts')
const { api, organization, person } = await import('../../support/api.ts')
const { owner } = await import('../../support/database.ts')
const { at, filledIn, reached, readOnboarding, submit } = await import('../../support/onboarding/onboarding.ts')
const { usePartners } = await import('../../support/partners/partners.ts')
const { until } = await import('../../support/until.ts')
const { useWorker } = await import('../../support/worker.ts')
const { REVIEWERS } = await import('../../../services/onboarding/reviewers.ts')

usePartners()
useWorker()
// as a start whose custodian verifies nobody
;(REVIEWERS as string[]).splice(0, REVIEWERS.length, 'bank', SERVICE)

type Operator = { email: string; totp: (stepsAhead?: number) => Promise<string> }
const operator = () => person({ authenticator: true })
/** Gives a command of an operator; each code counts once, so that a later one is taken for each. */
async function admin(who: Operator, words: readonly string[], rest: readonly string[], ahead = 0): Promise<string> {
  return administer([...words, who.email, await who.totp(ahead), ...rest])
}

async function inReview(legalName = 'Operated GmbH') {
  const boss = await person()
  const { id } = await organization(boss, 'Operated')
  await filledIn(boss, id, legalName)
  expect((await submit(boss, id)).status).toBe(200)
  await until('the bank has decided', async () => {
    const found = await owner`
      select from onboarding_reviews where organization_id = ${id} and reviewer = 'bank' and status <> 'waiting'`
    return found.length > 0
  })
  return { boss, id }
}

const verdictIn = (said: string): string => /verdict ([0-9a-f-]{36})/.exec(said)?.[1] ?? ''

test('one operator proposes, another confirms, and the run verifies', async () => {
  const { boss, id } = await inReview()
  const [first, second] = [await operator(), await operator()]
  expect(await administer(['onboarding', 'list'])).toContain(id)
  const shown = await administer(['onboarding', 'show', id])
  expect(shown).toContain('"Operated GmbH"')
  expect(shown).toContain('review by bank: verified')
  expect(shown).toContain('review by service: waiting')
  const said = await admin(first, ['onboarding', 'approve'], [id, 'all is in order'])
  const verdict = verdictIn(said)
  await expect(admin(first, ['onboarding', 'confirm'], [verdict], 1)).rejects.toMatchObject({
    type: 'requester_cannot_approve',
  })
  await expect(admin(second, ['onboarding', 'reject'], [id, 'no'])).rejects.toMatchObject({ type: 'invalid_state' })
  expect((await readOnboarding(boss, id)).status).toBe('in_review')
  await admin(second, ['onboarding', 'confirm'], [verdict], 1)
  const done = await reached(boss, id, 'verified')
  expect(done.reviews).toMatchObject([
    { reviewer: 'bank', status: 'verified' },
    { reviewer: 'service', status: 'verified' },
  ])
  await expect(admin(first, ['onboarding', 'withdraw'], [verdict], 1)).rejects.toMatchObject({ type: 'invalid_state' })
})

test('what operators ask for is asked of the organization, and a verdict on an earlier submission counts no more', async () => {
  const { boss, id } = await inReview()
  const [first, second] = [await operator(), await operator()]
  const asks = JSON.stringify([{ field: 'entity.website', reason: 'It does not exist' }])
  const said = await admin(first, ['onboarding', 'ask'], [id, asks])
  await admin(second, ['onboarding', 'confirm'], [verdictIn(said)])
  const more = await reached(boss, id, 'needs_more')
  const asked = more.requirements.filter(
    ({ from, status }: Record<string, string>) => from === 'service' && status === 'open',
  )
  expect(asked).toMatchObject([{ field: 'entity.website', reason: 'It does not exist' }])

  const late = await inReview()
  const stale = verdictIn(await admin(first, ['onboarding', 'reject'], [late.id, 'no'], 1))
  await owner`update onboardings set round = round + 1 where organization_id = ${late.id}`
  await owner`update onboarding_reviews set round = round + 1 where organization_id = ${late.id}`
  await expect(admin(second, ['onboarding', 'confirm'], [stale], 1)).rejects.toMatchObject({ type: 'invalid_state' })
})

test('two operators who confirm at once decide once', async () => {
  const { boss, id } = await inReview()
  const [first, second, third] = [await operator(), await operator(), await operator()]
  const verdict = verdictIn(await admin(first, ['onboarding', 'approve'], [id, 'fine']))
  const both = await Promise.allSettled([
    admin(second, ['onboarding', 'confirm'], [verdict]),
    admin(third, ['onboarding', 'confirm'], [verdict]),
  ])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  await reached(boss, id, 'verified')
  const [count] = await owner`
    select count(*)::int as n from events where organization_id = ${id} and type = 'onboarding.reviewed'
      and payload::jsonb ->> 'reviewer' = 'service'`
  expect(count?.['n']).toBe(1)
})

test('an organization that is rejected by the operators may be asked for more', async () => {
  const { boss, id } = await inReview('No Verify GmbH')
  const [first, second] = [await operator(), await operator()]
  await admin(second, ['onboarding', 'confirm'], [verdictIn(await admin(first, ['onboarding', 'reject'], [id, 'no']))])
  await reached(boss, id, 'rejected')
  const asks = JSON.stringify([{ field: 'documents.other', reason: 'A letter' }])
  const said = await admin(first, ['onboarding', 'ask'], [id, asks], 1)
  await admin(second, ['onboarding', 'confirm'], [verdictIn(said)], 1)
  await reached(boss, id, 'needs_more')
})

test('in test the sandbox decides as operators would, once', async () => {
  const { boss, id } = await inReview('Late Sandbox GmbH')
  const body = { organization_id: id, status: 'verified' }
  expect((await api('POST', '/sandbox/onboarding', { body })).status).toBe(200)
  await reached(boss, id, 'verified')
  const again = await api('POST', '/sandbox/onboarding', { body })
  expect(again.body.error).toMatchObject({ type: 'invalid_state', details: { current: 'verified' } })
  const nobody = { ...body, organization_id: '01900000-0000-7000-8000-000000000000' }
  expect((await api('POST', '/sandbox/onboarding', { body: nobody })).status).toBe(404)
})

test('a person is removed with their papers, which are kept until the end of their time', async () => {
  const { boss, id } = await inReview()
  await api('POST', '/sandbox/onboarding', { body: { organization_id: id, status: 'verified' } })
  const { people } = await reached(boss, id, 'verified')
  const removed = await api('DELETE', at(id, `/people/${people[0].id}`), { token: boss.token })
  expect(removed.body).toEqual({ deleted: true, id: people[0].id })
  const left = await readOnboarding(boss, id)
  expect(left).toMatchObject({ status: 'review_due', people: [] })
  expect(left.documents.map(({ kind }: { kind: string }) => kind)).toEqual(['register_extract', 'articles'])
  const kept = await owner`select from onboarding_documents where organization_id = ${id} and removed_at is not null`
  expect(kept).toHaveLength(1)
})
