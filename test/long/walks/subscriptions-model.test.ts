/** Random walks over all commands on subscriptions against a plain model; the books are proved. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { OrganizationId } from '../../../domain/ids.ts'
import { startBooks, stopBooks } from '../../../services/organizations/status.ts'
import { moveOrganization } from '../../support/organizations/status.ts'
import { asSystem } from '../../../db/postgres/sql.ts'
import { api, person } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { advance } from '../../support/identity/identity.ts'
import { MODEL_TIMEOUT_MS } from '../../support/model-runs.ts'
import { told, walkAll } from '../../support/walks.ts'
import * as plain from '../../support/subscription-model.ts'
import {
  type Subscriber,
  chargesAreProved,
  looks,
  offered,
  pass,
  select,
  subscriber,
} from '../../support/subscriptions.ts'
import { endow } from '../../support/swaps.ts'

/** An hour after midnight, so that no walk meets the next one. */
const [clock] = await owner<{ seconds: number }[]>`
  select extract(epoch from date_trunc('day', business_now() at time zone 'UTC') + interval '25 hours'
    - business_now() at time zone 'UTC')::int as seconds`
await advance(clock?.seconds ?? 0)
const boss = await person({ authenticator: true })
const prices = [
  [0n, 'USD'],
  [1900n, 'USD'],
  [4900n, 'USD'],
  [4900n, 'USD'],
  [9907n, 'USD'],
  [3000n, 'EUR'],
] as const
const plans: plain.Plan[] = []
for (const [cents, currency] of prices) {
  plans.push({ id: await offered({ amount: `${Number(cents) / 100}`, currency }), cents, currency })
}

type Command = { kind: 'select'; pick: number } | { kind: 'pass'; days: number } | { kind: (typeof OTHERS)[number] }
const OTHERS = ['end', 'drop', 'look', 'fund', 'pause', 'ban', 'stop'] as const
const selects = (pick: number): Command => ({ kind: 'select', pick })
const passes = (days: number): Command => ({ kind: 'pass', days })
const does = (kind: (typeof OTHERS)[number]): Command => ({ kind })
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 6, arbitrary: fc.nat(plans.length - 1).map(selects) },
  { weight: 4, arbitrary: fc.constantFrom(1, 3, 4, 9, 30, 31, 100).map(passes) },
  { weight: 4, arbitrary: fc.constant(does('look')) },
  { weight: 7, arbitrary: fc.constantFrom(...OTHERS).map(does) },
)
/** Commands of every run: held, failed tries, held again, over; a change of currency; unobserved months. */
const CERTAIN: Command[] = [
  [selects(2), passes(9), selects(4), does('pause'), passes(31), does('look'), does('pause'), does('look')],
  [does('stop'), passes(4), does('look'), does('stop'), does('look'), does('fund'), passes(3), does('look')],
  [selects(5), passes(100), does('look'), does('end'), selects(0), passes(100), does('look'), does('ban'), passes(31)],
].flat()

const today = async (): Promise<string> =>
  (await owner`select (business_now() at time zone 'UTC')::date::text as day`)[0]?.['day'] as string

/** Toggles a pause, a ban or stopped books, by an operator or an audit. */
async function toggle(model: plain.Model, id: OrganizationId, kind: 'pause' | 'ban' | 'stop'): Promise<void> {
  if (kind === 'stop') {
    await asSystem(id, async (tx) => void (await (model.stopped ? startBooks : stopBooks)(tx)))
    if (model.stopped) plain.moveAgain(model, 'stopped')
    model.stopped = !model.stopped
    return
  }
  const status = kind === 'ban' ? 'banned' : 'paused'
  if (model.status === status) {
    await moveOrganization(id, kind === 'ban' ? 'unban' : 'resume')
    plain.moveAgain(model, status)
    model.status = 'active'
  } else if (model.status !== 'banned') {
    await moveOrganization(id, kind)
    model.status = status
  }
}

async function perform(model: plain.Model, at: Subscriber, asked: Command): Promise<void> {
  const path = `/organizations/${at.id}/subscription`
  const remove = async (rest: string) => told(await api('DELETE', path + rest, { token: boss.token }))
  switch (asked.kind) {
    case 'select': {
      const plan = plans[asked.pick] as plain.Plan // one of them
      const { body } = await select(at, plan.id)
      return expect(body.operation ?? body.error.type).toBe(plain.select(model, plan))
    }
    case 'end':
      return expect(await remove('')).toBe(plain.end(model))
    case 'drop':
      return expect(await remove('/scheduled-change')).toBe(plain.drop(model))
    case 'pass':
      await pass(asked.days)
      model.today = plain.daysLater(model.today, asked.days)
      return
    case 'look':
      await looks(at)
      return plain.look(model)
    case 'fund':
      await endow(at.id, '60', 'USD')
      model.cents.USD += 6000n
      return
    default:
      return toggle(model, at.id as OrganizationId, asked.kind)
  }
}

async function readsAs(model: plain.Model, { id }: Subscriber): Promise<void> {
  const [row] = await owner`
    select offer_id, month_starts_on::text, month_ends_on::text, scheduled_offer_id, is_ending, held_since is not null as held,
      attempts from subscriptions where organization_id = ${id} and status = 'active'`
  const { active } = model
  expect(row ?? null).toEqual(
    active && {
      offer_id: active.plan.id,
      month_starts_on: active.startsOn,
      month_ends_on: active.endsOn,
      scheduled_offer_id: active.next?.id ?? null,
      is_ending: active.ending,
      held: active.held,
      attempts: active.tries,
    },
  )
  const balances = await owner<{ currency: string; cents: string }[]>`
    select currency, (balance * 100)::bigint as cents from ledger_accounts
    where organization_id = ${id} and kind = 'available' order by currency`
  expect(Object.fromEntries(balances.map(({ currency, cents }) => [currency, BigInt(cents)]))).toEqual(model.cents)
}

test(
  'whatever happens in whatever order, a subscription has and costs what the rules say, and every charge is proved',
  () =>
    walkAll(
      fc.array(command, { minLength: 15, maxLength: 40 }),
      async (commands) => {
        const at = await subscriber(boss, '150.00')
        await endow(at.id, '70', 'EUR')
        const cents = { USD: 15_000n, EUR: 7000n }
        const model: plain.Model = { today: await today(), status: 'active', stopped: false, cents, active: null }
        for (const asked of commands) {
          await perform(model, at, asked)
          await readsAs(model, at)
        }
        if (model.status === 'banned') await toggle(model, at.id as OrganizationId, 'ban')
        await chargesAreProved(at)
      },
      CERTAIN,
    ),
  MODEL_TIMEOUT_MS,
)
