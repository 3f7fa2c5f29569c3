/** Verdicts: the provider's true ledger against our books. */
import type { Amount } from './provider.ts'
import type { OwnView, Scene } from './scene.ts'

/** Outcome of a situation; it conforms without faults. */
export type Verdict = {
  readonly happened: string
  /** Faults, each with its cost. */
  readonly faults: readonly string[]
}

/** End of a payment that conforms. */
export type Expectation = {
  /** States in which the payment may be. */
  readonly ends: readonly string[]
  /** Finding that must be open: for what nobody can prevent, and an operator has to see. */
  readonly finding?: string
}

/** Money that truly left for a payment, and came back. */
export type Truth = {
  readonly handles: readonly number[]
  /** Payouts that left or still will. */
  readonly leaving: number
  readonly out: number
  readonly back: number
}

const WAITING = ['pending', 'processing', 'on_hold']

export function truthOf(scene: Scene): Truth {
  const payouts = scene.payouts()
  const moved = payouts.map(({ handle, status }) => ({ status, movements: scene.provider.movements(handle) }))
  const sum = (direction: 'out' | 'back') =>
    moved
      .flatMap(({ movements }) => movements)
      .filter((one) => one.direction === direction)
      .reduce((total, { amount }) => total + Number(amount.amount), 0)
  const leaving = moved.filter(
    ({ status, movements }) => WAITING.includes(status) || movements.some(({ direction }) => direction === 'out'),
  )
  return { handles: payouts.map(({ handle }) => handle), leaving: leaving.length, out: sum('out'), back: sum('back') }
}

export const say = ({ amount, currency }: Amount): string => `${amount} ${currency}`
const sayMoney = (scene: Scene, amount: number) =>
  say({ amount: amount.toFixed(2), currency: scene.payment.amount.currency })

/** Judges a payment. Paid twice is a fault whatever else is expected. */
export async function judge(scene: Scene, { ends, finding }: Expectation): Promise<Verdict> {
  const [truth, own] = [truthOf(scene), await scene.look()]
  const money = (amount: number) => sayMoney(scene, amount)
  const faults: string[] = []
  if (truth.leaving > 1) faults.push(`paid twice: ${money(truth.leaving * Number(scene.payment.amount.amount))}`)
  if (!ends.includes(own.status)) faults.push(`is ${own.status}, must be ${ends.join(' or ')}: ${money(stuck(scene))}`)
  if (finding && !own.findings.some((name) => name.endsWith(finding))) faults.push(`no finding ${finding}`)
  if (!finding) faults.push(...faultsOfBooks(scene, truth, own))
  return { happened: describe(scene, truth, own), faults }
}

const stuck = ({ payment }: Scene): number => Number(payment.amount.amount)

/** Compares the ledgers. What is under way, or waits for a person, is held by us whatever the provider does. */
function faultsOfBooks(scene: Scene, { out, back }: Truth, { status, booked, held }: OwnView): string[] {
  const [net, money] = [out - back, (amount: number) => sayMoney(scene, amount)]
  const isOpen = ['submitted', 'processing', 'on_hold', 'cancelling'].includes(status)
  if (isOpen) {
    if (booked !== 0) return [`booked while it is ${status}: ${money(booked)}`]
    return held > 0 ? [] : [`not held while it is ${status}: ${money(stuck(scene))}`]
  }
  if (held !== 0) return [`still held: ${money(held)}`]
  if (booked === net) return []
  if (status === 'succeeded' && out === 0) return [`booked, and nothing left: ${money(booked)}`]
  if (status === 'failed' || status === 'cancelled') return [`given back, and paid: ${money(net)}`]
  return [`the books say ${money(booked)} left, the provider ${money(net)}`]
}

function describe(scene: Scene, { handles, out, back }: Truth, { status, findings }: OwnView): string {
  const paid = out > 0 ? `${sayMoney(scene, out)} left` : 'nothing left'
  const returned = back > 0 ? `, ${sayMoney(scene, back)} came back` : ''
  const named = findings.length > 0 ? `; finding ${findings.join(', ')}` : ''
  return `${status}; ${handles.length === 1 ? '1 payout' : `${handles.length} payouts`}, ${paid}${returned}${named}`
}

/** Makes a verdict of conditions that must hold, each with its fault. */
export const verdictOf = (happened: string, checks: Readonly<Record<string, boolean>>): Verdict => ({
  happened,
  faults: Object.entries(checks).flatMap(([fault, holds]) => (holds ? [] : [fault])),
})

/** Joins verdicts of one situation. */
export const all = (...verdicts: readonly Verdict[]): Verdict => ({
  happened: verdicts.map(({ happened }) => happened).join('; '),
  faults: verdicts.flatMap(({ faults }) => faults),
})
