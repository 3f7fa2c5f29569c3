/** Payees that are compared with lists of sanctions, at each moment of their payments. No worker runs. */
import { describe, expect, test } from 'vitest'
import { everyNth, isSampled } from '../../support/model-runs.ts'
import type { Moment, Scene } from '../../support/payments/moments.ts'

process.env['SANDBOX_PARTNERS'] = 'screening'
const { owner } = await import('../../support/database.ts')
const { usePartners } = await import('../../support/partners/partners.ts')
const { passes } = await import('../../support/payments/moments.ts')
const { setSettings } = await import('../../support/account-changes.ts')

usePartners()

/** Puts all questions about payees into a state, as an answer and two operators would. */
const becomes = (status: string) => async (scenes: readonly Scene[]) => {
  const [operator, other] = await owner<{ id: string }[]>`select id from people limit 2`
  const decided = status === 'cleared' || status === 'confirmed'
  for (const { contact } of scenes) {
    const moved = await owner`
      update screenings set status = ${status},
        proposed_by = ${decided ? operator!.id : null}, proposal = ${decided ? 'clear' : null}, proposal_reason = ${decided ? 'r' : null},
        decided_by = ${decided ? other!.id : null}, decided_at = ${decided ? new Date() : null}
      where payment_contact_id = ${contact} returning id`
    expect(moved.length).toBe(2) // its name, and the holder of its account
  }
}

const GOES_ON: Readonly<Record<Moment, string>> = {
  requested: 'goes on: 201',
  approved: 'goes on: 200',
  its_day: 'goes on: submitted',
  page_of_a_batch: 'goes on: submitted',
  day_of_a_batch: 'goes on: submitted',
  order: 'goes on: ordered',
}
const HELD: Readonly<Record<Moment, string>> = {
  requested: 'payee_held',
  approved: 'payee_held',
  its_day: 'put off: payee_held',
  page_of_a_batch: 'failed: payee_held',
  day_of_a_batch: 'failed: payee_held',
  order: 'goes on: submitted',
}

describe('a payee at a bank', () => {
  const sayings: readonly [string, Readonly<Record<Moment, string>>][] = [
    ['possible', HELD],
    // nothing is stopped before the order, which waits
    ['waiting', { ...GOES_ON, order: 'goes on: submitted' }],
    ['clear', GOES_ON],
    ['cleared', GOES_ON],
    ['superseded', GOES_ON],
    ['confirmed', { ...HELD, order: 'failed: payee held' }],
  ]
  test.each(sayings.filter((_, place) => place === 0 || isSampled(place, 5)))(
    '%s: from its request to its order',
    async (status, says) => expect(await passes({}, becomes(status))).toEqual(says),
  )

  const settings: readonly [string, object][] = [
    ['payee_check', { payee_check: 'warn' }],
    ['account_change_hours', { account_change_hours: 0 }],
  ]
  test.each(everyNth(settings, 2))('is held whatever the setting %s of its payer says', async (_, setting) =>
    expect(
      await passes({}, async (scenes) => {
        await Promise.all(scenes.map(({ boss, id }) => setSettings(boss, id, setting)))
        await becomes('possible')(scenes)
      }),
    ).toEqual(HELD),
  )
})
