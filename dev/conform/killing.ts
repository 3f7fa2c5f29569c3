/** Deaths of a worker by SIGKILL: at a call of a provider, or at a write to our database. */
import { orderPayout, pollPayout } from '../../activities/payouts.ts'
import { act } from './act.ts'
import { writeDueFiles } from './file-rounds.ts'
import { sendToDeath } from './mortal.ts'
import type { MortalStep } from './mortal-worker.ts'
import type { ProviderCall } from './planned-faults.ts'
import type { Kit, Scene } from './scene.ts'
import { type Stop, closeStop, hasStop, installStops } from './stops.ts'

/**
 * Readies the step that makes a call. By files an order is in the file that is uploaded, and what a look or a deposit
 * would ask for is in those that are fetched.
 */
export async function stepAtCall(
  { kit, ref }: { readonly kit: Kit; readonly ref: object },
  step: StepName,
  { call }: CallToDieAt,
): Promise<MortalStep> {
  const { files } = kit.provider
  if (!files) return stepOf(step, ref)
  if (call !== 'order') {
    files.work()
    return stepOf('fetchBankFiles', { connection: 'bank' })
  }
  for (const next of step === 'pollPayout' ? [pollPayout, orderPayout] : [orderPayout]) {
    await act(next, stepOf(step, ref).ref)
    const [file] = await writeDueFiles()
    if (file) return stepOf('uploadBankFile', file)
  }
  throw new Error('there is no file to be uploaded')
}

export type StepName = MortalStep['name']
export const stepOf = (name: StepName, ref: object): MortalStep => ({ name, ref: ref as MortalStep['ref'] })

/** Kills a worker at a write to our database. */
export async function killAtWrite(step: MortalStep, at: Stop): Promise<void> {
  await installStops()
  if (!(await hasStop(at))) throw new Error(`nothing writes to: ${at}`)
  const stop = await closeStop(at)
  try {
    const worker = await sendToDeath(step)
    await stop.waiting()
    await worker.kill()
  } finally {
    await stop.end()
  }
}

/** Kills a worker while the provider has its call: before it acts, or before it answers. */
export async function killAtCall(scene: Pick<Scene, 'provider'>, step: MortalStep, at: CallToDieAt): Promise<void> {
  const held = scene.provider.hold(at.call, at.when)
  const worker = await sendToDeath(step)
  await held.waiting
  await worker.kill()
  if (at.arrives) held.release()
  else held.cut()
}

/** Call in which a worker dies; `arrives`: what it sent goes on. */
export type CallToDieAt = { readonly call: ProviderCall; readonly when: 'before' | 'after'; readonly arrives?: boolean }
