/**
 * Conformance kit: does a driver keep money right with a provider that behaves as providers do?
 *
 * A driver knows a provider's words (partners/driver.ts). The kit plays the provider, with a true ledger of its own, and
 * lets happen what does happen: answers are lost, keys are forgotten, processes die, databases are restored, payouts
 * come back short. Our side is the real service: Postgres, activities, callbacks through the API, with the clock of
 * business moved. After each situation it compares both ledgers. What left, left once; what is booked, happened; what
 * cannot be known is `on_hold`, and is never sent again.
 *
 *     npm run conform -- http              all situations, with what each would have cost
 *     npm run conform -- http lost half    those whose names have one of these words
 *
 * A new driver brings a `Provider` (provider.ts): a server that speaks the real provider's protocol to the driver, over
 * the controls by which the kit pays, returns, forgets and misbehaves. `Interferer` has the faults of the network for
 * any provider that speaks HTTP. Its line in `PROVIDERS` (providers.ts) makes it known. What cannot happen there is
 * skipped, and said with its reason: by what it `can`, or by `CannotHappen` of the control that a situation asks for.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { receiveDeposit } from '../../activities/deposits.ts'
import { nameDeposits } from '../../services/partner-orders/their-ids.ts'
import { act } from './act.ts'
import { exchangeFiles } from './file-rounds.ts'
import { endMortals } from './mortal.ts'
import { CannotHappen } from './planned-faults.ts'
import { type Provider, type Rail, mainRailOf } from './provider.ts'
import { PARTNER } from './reconciling.ts'
import type { Kit } from './scene.ts'
import { type Situation, hindranceOf } from './situation.ts'
import { SITUATIONS } from './situations/index.ts'
import { openService } from './service.ts'
import { type Verdict, say } from './verdict.ts'

export type Result = {
  readonly name: string
  readonly outcome: 'conforms' | 'fails' | 'impossible'
  /** Ends of both sides; for one that cannot happen, the reason. */
  readonly happened: string
  /** Loss that was avoided, or has happened. */
  readonly cost: string
  readonly faults: readonly string[]
  readonly ms: number
}

const AMOUNT = '100.00'
const FUNDS = '900000.00'
/** Time after which a situation has no end: a driver waits for ever. */
const PATIENCE_MS = 60_000

/** Starts a provider, and the service with a payer; `close` ends both. */
export async function openKit(provider: Provider): Promise<Kit & { readonly close: () => Promise<void> }> {
  await provider.start()
  const service = await openService(provider.can, (rail, account) => fund(provider, rail, account))
  const close = async () => {
    await endMortals()
    await provider.stop()
    await service.close()
  }
  return { provider, service, close }
}

/** Runs situations one after the other; tells each result as it is known. */
export async function conform(
  provider: Provider,
  { isWanted = () => true, tell = () => {} }: Options = {},
): Promise<readonly Result[]> {
  const kit = await openKit(provider)
  const results: Result[] = []
  try {
    for (const situation of SITUATIONS.filter(({ name }) => isWanted(name))) {
      const result = await runSituation(kit, situation)
      results.push(result)
      tell(result)
    }
  } finally {
    await kit.close()
  }
  return results
}

export type Options = {
  readonly isWanted?: (name: string) => boolean
  readonly tell?: (result: Result) => void
}

async function runSituation(kit: Kit, situation: Situation): Promise<Result> {
  const { name, risk, run } = situation
  const { can } = kit.provider
  const cost = `${risk}: ${say({ amount: AMOUNT, currency: can.currencies[mainRailOf(can)] })}`
  const impossible = (happened: string): Result => ({ name, outcome: 'impossible', happened, cost, faults: [], ms: 0 })
  const hindrance = hindranceOf(situation, can)
  if (hindrance !== null) return impossible(hindrance)
  const began = performance.now()
  kit.provider.clear()
  const endless = delay(PATIENCE_MS, { happened: 'no end', faults: [`no end after ${PATIENCE_MS} ms`] }, { ref: false })
  const played = await Promise.race([run(kit), endless]).catch((error: unknown) =>
    error instanceof CannotHappen ? error : brokenOff(error),
  )
  kit.provider.clear()
  if (played instanceof CannotHappen) {
    kit.provider.takeMissed()
    return impossible(played.message)
  }
  const { happened, faults } = played
  const missed = kit.provider.takeMissed().map((fault) => `it never came: ${fault}`)
  const ms = Math.round(performance.now() - began)
  const wrong = [...faults, ...missed]
  return { name, outcome: wrong.length === 0 ? 'conforms' : 'fails', happened, cost, faults: wrong, ms }
}

const brokenOff = (error: unknown): Verdict => ({
  happened: 'the situation broke off',
  faults: [error instanceof Error ? (error.stack ?? error.message) : String(error)],
})

/** Has money arrive for the payer at the provider, and books it. */
async function fund(provider: Provider, rail: Rail, account: string): Promise<void> {
  const money = { amount: rail === 'fiat' ? FUNDS : '900.00', currency: provider.can.currencies[rail] }
  for (let time = 0; time < (rail === 'fiat' ? 1 : 20); time += 1) {
    const { id } = provider.arrive(rail, account, money)
    await exchangeFiles(provider)
    const partner = PARTNER[rail]
    const [partnerDepositId = id] = await nameDeposits(partner, [id])
    const patience = Date.now() + PATIENCE_MS
    for (;;) {
      const booked = await act(receiveDeposit, { partner, partnerDepositId })
      if (!(booked instanceof Error)) break
      if (Date.now() > patience) throw booked // nothing misbehaves yet: a busy machine answers late
    }
  }
}
