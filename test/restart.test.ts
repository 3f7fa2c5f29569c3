/** Postgres and Temporal die and come back in the middle of payments: each ends in the right state exactly once. */
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Child, call, startApi, startServers, startWorker } from './support/processes.ts'

const servers = await startServers() // before anything reads the environment
const { approvalPath, createPayment, payerAndPayee, paymentBody } = await import('./support/api.ts')
const faults = await import('./support/faults.ts')

let worker: Child
let api: Awaited<ReturnType<typeof startApi>>
const reach = () => api

beforeAll(async () => {
  await faults.installGates()
  ;[worker, api] = await Promise.all([startWorker(), startApi()])
})

type Fault = {
  name: 'Postgres' | 'Temporal'
  /** Kills the server and lets go what was held. */
  strike: (every: Awaited<ReturnType<typeof faults.stopAtEveryStep>>) => Promise<void>
  /** Reads do not need it. */
  reads: 200 | 503
}

const FAULTS: Fault[] = [
  {
    name: 'Postgres',
    strike: async (every) => {
      await every.release('at the next start')
      await servers.postgres.kill()
    },
    reads: 503,
  },
  {
    name: 'Temporal',
    strike: async (every) => {
      await servers.temporal.kill()
      await every.release()
    },
    reads: 200,
  },
]
