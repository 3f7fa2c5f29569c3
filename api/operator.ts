/** Endpoints for operators: health, readiness, metrics, and the codec for the Temporal UI. */
import proto from '@temporalio/proto'
import type { Hono } from 'hono'
import { cors } from 'hono/cors'
import { decode } from '../temporal/codec.ts'
import { config } from '../platform/config.ts'
import { isReachable } from '../platform/storage/storage.ts'
import { pendingMigrations, pingDatabase } from '../db/health.ts'
import { refuse } from '../domain/errors.ts'
import { isStopping } from './events/open-streams.ts'
import { registry } from './metrics.ts'
import { bearerOf, isSecret } from './http/caller.ts'
import type { Env, Http } from './http/http.ts'
import { MAX_JSON_BYTES, readBody } from './http/input.ts'
import { parseJson } from './http/json.ts'
import { pingTemporal } from '../temporal/client.ts'
import { isBehind } from '../services/audit/behind.ts'
import { queuesWithoutWorker } from '../db/processes/worker-heartbeats.ts'
import { currentIsWorking } from '../temporal/deployment.ts'
import { workingBuilds } from '../temporal/pollers.ts'

const PROBE_TIMEOUT_MS = 2000

export function mountOperations(app: Hono<Env>): void {
  app.get('/healthz', (http) => http.json({ status: 'ok' }))
  app.get('/readyz', async (http) => {
    if (isStopping()) return http.json({ ready: false, missing: [], faults: ['stopping'] }, 503)
    const { ready, missing, faults } = await readReadiness()
    return http.json({ ready, missing, faults }, ready ? 200 : 503)
  })
  app.get('/metrics', async (http) => {
    requireOperator(http)
    return http.text(await registry.metrics(), 200, { 'content-type': registry.contentType })
  })
  const ui = config.temporalUiUrl ? new URL(config.temporalUiUrl).origin : 'http://localhost:8233'
  app.use(
    '/codec/*',
    cors({
      origin: [ui, ui.replace('localhost', '127.0.0.1')],
      allowHeaders: ['authorization', 'content-type', 'x-namespace'],
    }),
  )
  app.post('/codec/decode', async (http) => {
    requireOperator(http)
    return http.json(await decodeAll(http))
  })
}

export type Dependency = keyof typeof PROBES
export type Readiness = {
  readonly ready: boolean
  readonly missing: readonly Dependency[]
  readonly faults: readonly 'database_behind'[]
}

/** Reads what the service waits for. */
export async function readReadiness(): Promise<Readiness> {
  const [missing, isSound] = await Promise.all([whatIsMissing(), holds(async () => !(await isBehind()))])
  const ready = !missing.some((name) => NEEDED.has(name))
  return { ready, missing, faults: isSound || !ready ? [] : ['database_behind'] }
}

/** Dependencies without which no request is answered; without the others only background work waits. */
const NEEDED: ReadonlySet<Dependency> = new Set(['postgres', 'migrations'])

const PROBES = {
  postgres: () => pingDatabase(),
  migrations: async () => (await pendingMigrations()).length === 0,
  storage: () => isReachable(),
  temporal: () => pingTemporal(),
  worker: async () => (await workingBuilds()).size > 0,
  version: () => seldom(currentIsWorking),
  queues: async () => (await queuesWithoutWorker()).length === 0,
}

/** Lists missing dependencies. `version`: no worker polls for the build of new runs; `queues`: one has no worker. */
async function whatIsMissing(): Promise<Dependency[]> {
  const names = Object.keys(PROBES) as Dependency[] // all of them
  const results = await Promise.all(names.map(async (name) => ((await holds(PROBES[name])) ? [] : [name])))
  return results.flat()
}

const SELDOM_MS = 5000
let asked: { at: number; answer: Promise<boolean> } | undefined

/** Caches a probe for some seconds: the server answers it by a query of one of its own workflows. */
function seldom(probe: () => Promise<boolean>): Promise<boolean> {
  if (!asked || Date.now() - asked.at > SELDOM_MS) {
    asked = { at: Date.now(), answer: probe() }
    asked.answer.catch(() => (asked = undefined))
  }
  return asked.answer
}

async function holds(probe: () => Promise<boolean>): Promise<boolean> {
  const timeout = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), PROBE_TIMEOUT_MS).unref())
  return Promise.race([probe().catch(() => false), timeout])
}

function requireOperator(http: Http): void {
  if (!config.operatorToken) return
  if (!isSecret(bearerOf(http), config.operatorToken)) refuse('not_authenticated')
}

async function decodeAll(http: Http): Promise<object> {
  const Payloads = proto.temporal.api.common.v1.Payloads
  const body = parseJson((await readBody(http, 'operator', MAX_JSON_BYTES)).toString())
  try {
    // The UI speaks proto JSON; fromObject reads its base64 members.
    const { payloads } = Payloads.fromObject(body as object)
    const decoded = Payloads.create({ payloads: payloads.map((payload) => decode(payload)) })
    return Payloads.toObject(decoded, { bytes: String, enums: String })
  } catch {
    refuse('invalid_request', { errors: [{ path: 'payloads', code: 'not_decodable', message: 'cannot be opened' }] })
  }
}
