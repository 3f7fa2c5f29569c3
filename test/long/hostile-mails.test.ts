/** Five thousand hostile mails: none is lost, none is answered by a fault, and others are read meanwhile. */
import { expect, test } from 'vitest'
import { storm } from '../support/mail-storm.ts'
import { usePartners } from '../support/partners/partners.ts'
import { useWorker } from '../support/worker.ts'

usePartners()
useWorker()

const MAILS = Number(process.env['HOSTILE_MAILS'] ?? 5000)
const SEED = Number(process.env['HOSTILE_SEED'] ?? 1)
const MINUTES = 40

test(
  '5,000 hostile mails are taken, and each ends in a state',
  async () => {
    const { said, states } = await storm(SEED, MAILS, MINUTES * 60_000)
    expect(Object.values(states).reduce((sum, one) => sum + one, 0)).toBe(MAILS)
    expect(Object.keys(said)).toHaveLength(2)
  },
  MINUTES * 60_000,
)
