/** Returns at a custodian that forgets keys: a deposit is remembered under one name for each owner. */
import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { advanceClock } from '../../../db/postgres/clock.ts'
import type { DepositId, OrganizationId } from '../../../domain/ids.ts'
import { owner } from '../../support/database.ts'
import { arriveAt, depositor, operator, pursue, refusal } from '../../support/deposits/deposits.ts'
import { answerAsBefore, answerInstead, usePartnerProxy } from '../../support/partners/proxy.ts'

await vi.hoisted(async () => {
  const { connect } = await import('../../support/connections.ts')
  connect({
    custodian: { serves: [{ rail: 'crypto' }], keys_kept_hours: 24 },
    rates: { serves: [{ rates: true }], callback_secret: undefined },
  })
})
usePartnerProxy()

test('a deposit that was refused to be sent back for nobody is sent back for its owner', async () => {
  const { id: organizationId } = await depositor()
  const { unmatched_deposit_id: id } = await arriveAt(`nobody-${randomUUID()}`, '5000.00', 'USDC')
  answerInstead((method, path) =>
    method === 'PUT' && path.endsWith('/return')
      ? { status: 422, body: JSON.stringify({ code: 'account_closed' }) }
      : undefined,
  )
  expect(await refusal('return', id)).toContain('refuses to send')
  answerAsBefore()
  await operator('assign', id, organizationId)
  await advanceClock(2 * 86_400)
  const [held] = await owner<{ id: DepositId }[]>`
    update deposits set is_returning = true where organization_id = ${organizationId} and status = 'held' returning id`
  if (!held) throw new Error('it is not held')
  await pursue({ organizationId: organizationId as OrganizationId, id: held.id })
  expect(await owner`select status from deposits where id = ${held.id}`).toEqual([{ status: 'returned' }])
})
