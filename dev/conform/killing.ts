/** Deaths of a worker by SIGKILL: at a call of a provider, or at a write to our database. */
import type { ProviderCall } from './interferer.ts'
import { sendToDeath } from './mortal.ts'
import type { MortalStep } from './mortal-worker.ts'
import type { Scene } from './scene.ts'
import { type Stop, closeStop, hasStop, installStops } from './stops.ts'

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
