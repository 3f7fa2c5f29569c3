/** Keeps the dev Temporal answering: one that gives nothing but faults is started again, with its data. */
import { setTimeout as delay } from 'node:timers/promises'

import { Connection } from '@temporalio/client'

import { type TemporalOptions, type TemporalServer, startTemporal } from './server.ts'

/** Pace of the looks: their pause, the time for an answer, and how many faults in a row are too many. */
export type Pace = { readonly pauseMs: number; readonly answerMs: number; readonly faultsMax: number }

const PACE: Pace = { pauseMs: 5_000, answerMs: 10_000, faultsMax: 6 }
const NOT_FOUND = 5
const NOBODY = 'nobody-has-this-id'

/**
 * Starts a dev server and looks after it. Its database can answer `interrupted (9)` for ever after the disk was slow; a
 * server that was killed, or answers nothing, is started again as well.
 */
export async function keepTemporal(options: TemporalOptions, pace = PACE): Promise<TemporalServer> {
  let server = await startTemporal(options)
  const stopping = new AbortController()
  const looking = lookAfter().catch(() => {}) // the pause was cut short

  async function lookAfter(): Promise<void> {
    for (let faults = 0; ;) {
      await delay(pace.pauseMs, undefined, { signal: stopping.signal, ref: false })
      const fault = server.runs() ? await faultOf(server.address, options.namespace, pace.answerMs) : 'it has ended'
      faults = fault === undefined ? 0 : faults + 1
      if (stopping.signal.aborted || (server.runs() && faults < pace.faultsMax)) continue
      faults = 0
      options.say(`Temporal gives no answer but "${fault}"; starting it again. Its log: ${options.logFile}`)
      await server.stop()
      await startAgain()
    }
  }

  async function startAgain(): Promise<void> {
    if (stopping.signal.aborted) return
    try {
      server = await startTemporal(options)
    } catch (error) {
      options.say(error instanceof Error ? error.message : String(error)) // the next look tries again
    }
  }

  return {
    address: server.address,
    pause: (stands) => server.pause(stands),
    runs: () => server.runs(),
    stop: async () => {
      stopping.abort()
      await server.stop() // also one that is coming up, which then fails
      await looking
      await server.stop()
    },
  }
}

/** Asks both stores of the server, namespaces and histories; answers its fault, if it has one. */
async function faultOf(address: string, namespace: string, answerMs: number): Promise<string | undefined> {
  try {
    const connection = await Connection.connect({ address, connectTimeout: answerMs })
    try {
      await connection.withDeadline(Date.now() + answerMs, async () => {
        await connection.workflowService.describeNamespace({ namespace })
        await connection.workflowService.describeWorkflowExecution({ namespace, execution: { workflowId: NOBODY } })
      })
    } finally {
      await connection.close()
    }
    return undefined
  } catch (error) {
    // read only to be compared: gRPC errors have a number
    const { code } = error as { code?: unknown }
    if (code === NOT_FOUND) return undefined
    return error instanceof Error ? error.message : String(error)
  }
}
