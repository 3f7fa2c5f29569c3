/** Process of a worker that is killed: takes the step that it is sent, once. */
import { bookAnnouncedDeposit, sendDepositBack } from '../../activities/deposits.ts'
import { cancelPayout, orderPayout, pollPayout } from '../../activities/payouts.ts'
import { followClock } from '../../db/postgres/clock.ts'
import type { ProcessRef } from '../../domain/process.ts'
import { act } from './act.ts'

const STEPS = { orderPayout, pollPayout, cancelPayout, bookAnnouncedDeposit, sendDepositBack }

export type MortalStep = { readonly name: keyof typeof STEPS; readonly ref: ProcessRef<never> }

await followClock()
process.on('message', (message) => {
  const { name, ref } = message as MortalStep // sent by mortal.ts
  void act(STEPS[name], ref).then(() => process.exit(0))
})
process.on('disconnect', () => process.exit(0))
process.send?.('ready')
