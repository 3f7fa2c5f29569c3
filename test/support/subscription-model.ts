/** A plain model of an organization's selections and payments. */

export type Plan = { readonly id: string; readonly cents: bigint; readonly currency: 'USD' | 'EUR' }
type Subscription = {
  plan: Plan
  startsOn: string
  endsOn: string
  anchor: number
  next: Plan | null
  ending: boolean
  held: boolean
  /** Failed tries of the next month, and the day of the first. */
  tries: number
  failingSince: string
}
export type Model = {
  today: string
  status: 'active' | 'paused' | 'banned'
  stopped: boolean
  cents: Record<'USD' | 'EUR', bigint>
  active: Subscription | null
}

export const daysLater = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10)
const daysFrom = (from: string, to: string): bigint => BigInt((Date.parse(to) - Date.parse(from)) / 86_400_000)

/** The anchor day of the next month, or its last day. */
function monthLater(date: string, anchor: number): string {
  const first = daysLater(`${date.slice(0, 7)}-01`, 31).slice(0, 7)
  let end = `${first}-01`
  while (Number(end.slice(8)) < anchor && daysLater(end, 1).startsWith(first)) end = daysLater(end, 1)
  return end
}

function pay(model: Model, plan: Plan, startsOn: string, anchor: number): void {
  model.cents[plan.currency] -= plan.cents
  const endsOn = monthLater(startsOn, anchor)
  const rest = { next: null, ending: false, held: false, tries: 0, failingSince: '' }
  model.active = { plan, startsOn, endsOn, anchor, ...rest }
}

/** Pays the month after one that is over. */
function payNext(model: Model, had: Subscription, plan: Plan): void {
  const begins = had.tries > 0 ? had.failingSince : model.today
  if (had.held) pay(model, plan, begins, Number(begins.slice(8)))
  else pay(model, plan, had.endsOn, had.anchor)
}

/** Applies a selection and its charge; returns its kind, or the refusal. */
export function select(model: Model, plan: Plan): string {
  const { active: had, cents, today } = model
  if (model.status === 'banned') return 'not_found'
  if (model.status === 'paused') return 'organization_unavailable'
  if (model.stopped) return 'ledger_unbalanced'
  const affords = (amount: bigint) => cents[plan.currency] >= amount
  if (!had || today >= had.endsOn) {
    if (!affords(plan.cents)) return 'insufficient_funds'
    if (had) payNext(model, had, plan)
    else pay(model, plan, today, Number(today.slice(8)))
    return had?.plan.id === plan.id ? 'recommitted' : 'created'
  }
  const drop = { next: null, ending: false }
  if (had.plan.id === plan.id) return Object.assign(had, drop) && 'recommitted'
  const dearer = plan.currency === had.plan.currency ? plan.cents - had.plan.cents : 0n
  if (dearer > 0n) {
    const [left, all] = [daysFrom(today, had.endsOn), daysFrom(had.startsOn, had.endsOn)]
    const share = (2n * dearer * left + all) / (2n * all)
    if (!affords(share)) return 'insufficient_funds'
    cents[plan.currency] -= share
    return Object.assign(had, drop, { plan }) && 'upgraded'
  }
  Object.assign(had, { ending: false, next: plan })
  return dearer < 0n ? 'downgrade_scheduled' : 'change_scheduled'
}

export function end(model: Model): string {
  const { active, today } = model
  if (model.status === 'banned') return 'not_found'
  if (!active || active.ending) return 'invalid_state'
  if (today >= active.endsOn) model.active = null
  else Object.assign(active, { ending: true, next: null })
  return 'done'
}

export function drop(model: Model): string {
  const { active } = model
  if (model.status === 'banned') return 'not_found'
  if (!active || !(active.ending || active.next)) return 'nothing_scheduled'
  Object.assign(active, { ending: false, next: null })
  return 'done'
}

const isDue = ({ active, today }: Model): boolean =>
  active !== null &&
  today >= active.endsOn &&
  (active.tries === 0 || today >= daysLater(active.failingSince, active.tries === 1 ? 3 : 7))

function hold(active: Subscription): void {
  Object.assign(active, { held: true, tries: 0, failingSince: '' })
}

export function look(model: Model): void {
  while (model.active && isDue(model)) {
    const { active } = model
    const plan = active.next ?? active.plan
    if (active.ending || model.status === 'banned') model.active = null
    else if (model.status === 'paused' || model.stopped) return hold(active)
    else if (model.cents[plan.currency] >= plan.cents) payNext(model, active, plan)
    else {
      if (active.tries === 0) active.failingSince = model.today
      active.tries += 1
      if (active.tries === 3) model.active = null
    }
  }
}

export function moveAgain(model: Model, after: 'paused' | 'banned' | 'stopped'): void {
  const { active } = model
  if (!active || !isDue(model)) return
  if (active.ending || after === 'banned') model.active = null
  else hold(active)
}
