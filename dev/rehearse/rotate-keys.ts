/** Rehearses the rotation of every key, while requests run: which overlap, and which need a restart. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type Server, createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

import { freePort } from '../machine/ports.ts'
import { makeTemporaryFolder } from '../machine/temporary.ts'
import { receive } from '../receiver.ts'
import { say } from '../terminal.ts'
import { startBalancer } from './balancer.ts'
import { type Build, makeBuild } from './builds.ts'
import type { Child, Environment } from './children.ts'
import { type Fleet, restartWith, startFleet } from './fleet.ts'
import type { Flags } from './flags.ts'
import { type Call, type Load, callProved, offerLoad } from './load.ts'
import { countAndName, provePayments, proveRest } from './proof.ts'
import type { Report } from './report.ts'
import { type Database, type Stage, migrate, openStage, startPartners } from './stage.ts'
import { type Ask, type Payer, askAt, openOwner, settle } from './town.ts'

const LOOK_MS = 200
const RESEALED_MS = 120_000

const key = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`
const token = (): string => randomBytes(24).toString('base64url')
const callbackSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** Settings of every secret that the environment holds and a partner or the database shares. */
const partnerSecrets = (): Environment => ({
  BANK_KEY: token(),
  BANK_CALLBACK_SECRET: callbackSecret(),
  CUSTODIAN_KEY: token(),
  CUSTODIAN_CALLBACK_SECRET: callbackSecret(),
  RATES_KEY: token(),
  MESSENGER_KEY: token(),
})

type Place = {
  readonly report: Report
  readonly stage: Stage
  readonly build: Build
  readonly load: Load
  /** Restarts everything one by one with further settings; the partners first if they share them. */
  readonly restart: (more: Environment, alsoPartners?: boolean) => Promise<void>
}

export async function rehearseRotation(report: Report, flags: Flags): Promise<void> {
  say('Building the present sources.')
  const build = await makeBuild(makeTemporaryFolder().path, 'a')
  const [sealing, signing] = [
    [key('one'), key('two')],
    [key('one'), key('two')],
  ] as const
  const first = {
    ENCRYPTION_KEYS: sealing[0],
    EVENT_LOG_KEYS: signing[0],
    OPERATOR_TOKEN: token(),
    ...partnerSecrets(),
  }
  const stage = await openStage({ build, env: first })
  let partners: Child = await startPartners(stage, build)
  const balancer = await startBalancer(stage.port)
  let fleet: Fleet = await startFleet({ stage, balancer }, build, { apis: 2, workers: 2 })
  const ask = askAt(() => balancer.url)
  const payers = await settle(stage, ask, flags.payers)
  const load = offerLoad(ask, payers, flags)
  await delay(flags.quiet * 1000)
  let env: Environment = {}
  const restart = async (more: Environment, alsoPartners = false) => {
    env = { ...env, ...more }
    if (alsoPartners) {
      await partners.stop()
      partners = await startPartners(stage, build, env)
    }
    fleet = await restartWith({ stage, balancer }, fleet, build, env)
  }
  const place: Place = { report, stage, build, load, restart }

  await rotateEncryption(place, sealing, signing)
  await rotateOperatorToken(place, balancer.url, first.OPERATOR_TOKEN)
  await rotatePartners(place)
  await rotateDatabase(place)
  await rotateByCalls(place, ask, payers)
  await delay(flags.quiet * 1000)
  await load.stop()
  report.expect(
    'requests failed of all',
    `${countAndName(load.failures)} of ${load.offered()}`,
    load.failures.length === 0,
  )
  await provePayments(report, stage, load.approved)
  Object.assign(stage.env, env) // what follows is asked with the present keys
  await proveRest(report, stage, build)
  await balancer.stop()
}

/** Does one rotation under load, and reports the requests that failed meanwhile. */
async function during({ load, report }: Place, what: string, how: string, work: () => Promise<void>): Promise<void> {
  say(`Rotating ${what}.`)
  const before = load.failures.length
  await work()
  const failed = load.failures.slice(before)
  report.expect(what, `${how}; ${countAndName(failed)} requests failed`, failed.length === 0)
}

type Pair = readonly [string, string]

async function rotateEncryption(place: Place, [oldSeal, newSeal]: Pair, [oldSign, newSign]: Pair): Promise<void> {
  await during(place, 'ENCRYPTION_KEYS, EVENT_LOG_KEYS', 'overlap; two rolling restarts', async () => {
    // behind first: a process that has not been restarted yet must open what the others seal
    await place.restart({ ENCRYPTION_KEYS: `${oldSeal},${newSeal}`, EVENT_LOG_KEYS: `${oldSign},${newSign}` })
    await place.restart({ ENCRYPTION_KEYS: `${newSeal},${oldSeal}`, EVENT_LOG_KEYS: `${newSign},${oldSign}` })
  })
  const { owner } = await openOwner(place.stage)
  const head = Buffer.from('\u0003two')
  const old = async () => {
    const [row] = await owner<{ n: number }[]>`
      select ((select count(*) from authenticators where not starts_with(encode(secret, 'hex'), ${head.toString('hex')}))
        + (select count(*) from payment_destinations where sealed is not null
          and not starts_with(encode(sealed, 'hex'), ${head.toString('hex')})))::int as n`
    return row?.n ?? 0
  }
  const deadline = Date.now() + RESEALED_MS
  while ((await old()) > 0 && Date.now() < deadline) await delay(LOOK_MS)
  place.report.expect('secrets still sealed with the old key', await old(), (await old()) === 0)
}

async function rotateOperatorToken(place: Place, url: string, before: string): Promise<void> {
  const after = token()
  const status = async (bearer: string) => {
    const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${bearer}` } })
    await answer.arrayBuffer()
    return answer.status
  }
  await during(place, 'OPERATOR_TOKEN', 'no overlap; a rolling restart', () => place.restart({ OPERATOR_TOKEN: after }))
  const [old, fresh] = [await status(before), await status(after)]
  place.report.expect('/metrics by the old and the new token', `${old}, ${fresh}`, old === 401 && fresh === 200)
}

async function rotatePartners(place: Place): Promise<void> {
  const names = 'partners: …_KEY, …_CALLBACK_SECRET'
  const how = 'no overlap; their calls and ours wait for the restart'
  await during(place, names, how, () => place.restart(partnerSecrets(), true))
}

async function rotateDatabase(place: Place): Promise<void> {
  const { stage, build } = place
  const password = token()
  const url = Object.assign(new URL(stage.database.url), { password }).href
  const database: Database = { ...stage.database, url }
  await during(place, 'DATABASE_APP_PASSWORD', 'connections last; migrate, then a rolling restart', async () => {
    await migrate(stage, build, database, { DATABASE_APP_PASSWORD: password })
    await place.restart({ DATABASE_URL: url }, true)
  })
}

/** Rotates what people rotate by calls: the secret of a webhook endpoint, and of an API key. */
async function rotateByCalls(place: Place, ask: Ask, payers: readonly Payer[]): Promise<void> {
  const [payer] = payers
  if (!payer) throw new Error('nobody pays')
  const call: Call = async (wanted, ...args) => {
    const answer = await ask(...args)
    if (wanted.includes(answer.status)) return answer
    throw new Error(`${args[0]} ${args[1]} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  }
  const make = (path: string, body: object): Promise<any> =>
    callProved(call, 'POST', `/organizations/${payer.organizationId}/${path}`, body, payer.token)

  const port = await freePort()
  const endpoint = await make('webhook-endpoints', { url: `http://127.0.0.1:${port}/`, types: [] })
  const taken = { old: 0, refused: 0 }
  const receiver = await startReceiver(port, endpoint.secret, taken)
  await during(place, 'the secret of a webhook endpoint', 'overlap of a day', async () => {
    await make(`webhook-endpoints/${endpoint.id}/rotate-secret`, {})
    const before = taken.old
    while (taken.old < before + 5) await delay(LOOK_MS)
  })
  receiver.close()
  place.report.expect('deliveries refused by the old secret', `${taken.refused} of ${taken.old}`, taken.refused === 0)

  const made = await make('api-keys', { name: 'Rehearsal', role: 'member', scopes: ['balances:read'] })
  const rotated = await make(`api-keys/${made.id}/rotate`, {})
  const path = `/organizations/${payer.organizationId}/multi-currency-accounts`
  const [old, fresh] = [
    await ask('GET', path, undefined, made.secret),
    await ask('GET', path, undefined, rotated.secret),
  ]
  const both = `${old.status}, ${fresh.status}`
  place.report.expect('an API key: its old and its new secret', both, both === '200, 200')
}

/** Starts a receiver that knows only the old secret. */
async function startReceiver(port: number, secret: string, taken: { old: number; refused: number }): Promise<Server> {
  const take = receive(secret, () => (taken.old += 1))
  const server = createServer((request, response) => {
    response.once('finish', () => (taken.refused += response.statusCode === 401 ? 1 : 0))
    take(request, response)
  })
  await once(server.listen(port, '127.0.0.1'), 'listening')
  return server
}
