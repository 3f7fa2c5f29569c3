/** Worker of its own process that takes one step, and is killed in it by SIGKILL. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { MortalStep } from './mortal-worker.ts'

const WORKER = fileURLToPath(new URL('mortal-worker.ts', import.meta.url))

/** Starts a worker that waits for its step. */
async function startMortal(): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--import', 'tsx', WORKER], {
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const [said] = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => ['gone'])])
  if (said !== 'ready') throw new Error('a worker to be killed did not start')
  return child
}

let spare: Promise<ChildProcess> | undefined

/** Gives a worker its step; `kill` ends it wherever it is. The next worker starts meanwhile. */
export async function sendToDeath(step: MortalStep): Promise<{ kill: () => Promise<void> }> {
  const child = await (spare ?? startMortal())
  spare = startMortal()
  spare.catch(() => {}) // its user gets the error
  child.send(step)
  return {
    kill: async () => {
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}

/** Ends the worker that nobody has used. */
export async function endMortals(): Promise<void> {
  const child = await spare?.catch(() => undefined)
  spare = undefined
  child?.kill('SIGKILL')
}
