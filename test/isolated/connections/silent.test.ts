/** Operators learn of a connection that does not answer, and capabilities say so. */
import { expect, test, vi } from 'vitest'
import { administer } from '../../../admin.ts'
import { registry } from '../../../api/metrics.ts'
import { recordHeard } from '../../../services/connections/answers.ts'
import { api } from '../../support/api.ts'
import { BANK, contactWith } from '../../support/contacts/destinations.ts'
import { owner } from '../../support/database.ts'
import { calledBack } from '../../support/partners/partners.ts'

await vi.hoisted(async () => {
  const { connect } = await import('../../support/connections.ts')
  connect({
    bank: { serves: [{ rail: 'fiat', currencies: ['EUR'] }] },
    dollars: { serves: [{ rail: 'fiat', currencies: ['USD'] }] },
  })
})

test('a connection that is silent for minutes is away: as a capability, in the list, and as a metric', async () => {
  const { boss, payer } = await contactWith([BANK])
  const now = Date.now()
  await owner`delete from connection_answers`
  await recordHeard([
    { connection: 'bank', answeredAt: now - 900_000, silentSince: now - 600_000 },
    { connection: 'dollars', answeredAt: now, silentSince: null },
  ])
  const able = async (currency: string) => {
    const { body } = await api('GET', `/organizations/${payer.id}/capabilities`, { token: boss.token })
    return body.data.find((one: { currency: string }) => one.currency === currency).receive
  }
  expect(await able('EUR')).toEqual({ available: false, reason: 'partner_away' })
  expect(await able('USD')).toEqual({ available: true, reason: null })
  expect(await administer(['connections', 'list'])).toMatch(/^bank .*no clear answer for minutes/m)
  // another process has heard it since
  await recordHeard([{ connection: 'bank', answeredAt: now, silentSince: null }])
  expect(await able('EUR')).toEqual({ available: true, reason: null })
})

test('a refused callback is counted for its connection', async () => {
  expect((await calledBack(crypto.randomUUID(), { secret: 'whsec_b3RoZXI=' })).status).toBe(401)
  const refused = await registry.getSingleMetric('partner_callbacks_refused')?.get()
  expect(refused?.values).toContainEqual({ labels: { partner: 'bank' }, value: 1 })
})
