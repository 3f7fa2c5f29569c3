import { benchApprovals } from './approvals.ts'
import { benchBatches } from './batch-payments.ts'
import { benchBills } from './bill-readings.ts'
import { benchEventLog } from './event-log.ts'
import { benchExports } from './exports.ts'
import { benchFeed } from './feed.ts'
import { benchFlood } from './flood.ts'
import { benchGate } from './gate.ts'
import { benchHostile } from './hostile.ts'
import { benchIdentity } from './identity.ts'
import { benchImports } from './imports.ts'
import { benchInvoiceSearch } from './invoice-search.ts'
import { benchInvoices } from './invoices.ts'
import { benchPostings, benchSettlements, fundOrganizations } from './ledger.ts'
import { benchAway, benchPayments } from './payments.ts'
import { benchReference } from './reference.ts'
import { type Programs, benchCost } from './scale/cost.ts'
import { benchScale } from './scale/scale.ts'
import { benchSweep } from './sweep.ts'
import { benchTenants } from './tenants.ts'
import { benchWebhooks } from './webhooks.ts'

export type Program = { readonly file: string; readonly ready: string }
const api: Program = { file: '../server.js', ready: 'api ready' }
const worker: Program = { file: '../worker.js', ready: 'worker ready' }
const emptyRoute: Program = { file: './empty/server.js', ready: 'empty ready' }
const naiveWorker: Program = { file: './naive/worker.js', ready: 'worker ready' }
const emptyWorker: Program = { file: './empty/worker.js', ready: 'worker ready' }

export type Group = {
  readonly name: string
  readonly programs: readonly Program[]
  /** Prints the report lines; `pid` is the last program's process. */
  readonly run: (pid: number) => Promise<void>
}
export type Place = {
  readonly apiUrl: string
  readonly emptyUrl: string
  readonly temporal: { readonly address: string; readonly pause: (stands: boolean) => void }
  readonly rounds: number
  /** Programs that a group starts by itself. */
  readonly own: Programs
}

export const groupsOf = ({ apiUrl, emptyUrl, temporal, rounds, own }: Place): readonly Group[] => [
  {
    name: 'ledger',
    programs: [],
    run: async () => {
      const ids = await fundOrganizations()
      await benchPostings(ids, rounds)
      await benchSettlements(ids, rounds)
    },
  },
  { name: 'hostile', programs: [api], run: (pid) => benchHostile(apiUrl, pid) },
  { name: 'identity', programs: [api], run: () => benchIdentity(apiUrl, rounds) },
  { name: 'feed', programs: [api, emptyRoute], run: () => benchFeed(apiUrl, emptyUrl, rounds) },
  { name: 'event-log', programs: [api], run: () => benchEventLog(apiUrl) },
  { name: 'reference', programs: [api, emptyRoute], run: () => benchReference(apiUrl, emptyUrl, rounds) },
  { name: 'sweep', programs: [], run: () => benchSweep(rounds) },
  {
    name: 'payments',
    programs: [api, worker, naiveWorker, emptyWorker],
    run: async () => {
      await benchPayments(apiUrl, temporal.address, rounds)
      await benchAway(apiUrl, temporal)
    },
  },
  { name: 'exports', programs: [api, worker], run: (pid) => benchExports(apiUrl, pid, rounds) },
  { name: 'batches', programs: [api, worker], run: () => benchImports(apiUrl, rounds) },
  {
    name: 'batches',
    programs: [worker],
    run: async () => benchBatches(await fundOrganizations(1001), rounds),
  },
  { name: 'bills', programs: [api, worker], run: () => benchBills(apiUrl, rounds) },
  { name: 'flood', programs: [api, worker], run: () => benchFlood(apiUrl, rounds) },
  { name: 'flood', programs: [api, worker], run: () => benchTenants(apiUrl) },
  { name: 'invoices', programs: [api], run: () => benchInvoiceSearch(apiUrl) },
  { name: 'invoices', programs: [api, worker], run: () => benchInvoices(apiUrl, rounds) },
  { name: 'webhooks', programs: [api, worker], run: () => benchWebhooks(apiUrl, rounds) },
  { name: 'cost', programs: [], run: () => benchCost(apiUrl, temporal.address, own) },
  { name: 'gate', programs: [api, worker], run: () => benchGate(apiUrl) },
  { name: 'scale', programs: [api], run: () => benchScale(apiUrl) },
  // without a worker, which would take up the payments that are listed
  { name: 'approvals', programs: [api], run: () => benchApprovals(apiUrl, rounds) },
]
