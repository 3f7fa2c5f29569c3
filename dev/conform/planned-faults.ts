/** Faults that a situation plans for the next calls of a driver, whatever way these come. */
import type { CallOnHold } from './provider.ts'

/** Kinds of calls of a driver. */
export type ProviderCall =
  | 'order'
  | 'find'
  | 'cancel'
  | 'list payouts'
  | 'list deposits'
  | 'deposit'
  | 'return deposit'
  | 'account'
  | 'other'

/** Faults of the way there and back; the provider acts only where the name says so. */
const TRANSPORT_FAULTS = [
  'request lost',
  'answer lost',
  'half an answer',
  'too slow',
  'takes a moment',
  'page of a proxy',
  'empty answer',
  'huge answer',
  'error before',
  'error after',
  'bad gateway',
  'unavailable',
  'slow down for an hour',
  'redirect',
  'unauthorized',
  'forbidden',
  'gateway not found',
  'arrives twice',
  'stale answer',
] as const
/** Faults in the provider's own words: it refuses, or names what is not so. */
const PROVIDER_FAULTS = [
  'refuse',
  'refuse after acting',
  'conflict',
  'bad request',
  'absent',
  'another id',
  'another amount',
  'another currency',
  'unknown status',
  'absurd version',
] as const
export type Fault = (typeof TRANSPORT_FAULTS)[number] | ProviderFault
export type ProviderFault = (typeof PROVIDER_FAULTS)[number]

type Order = { readonly fault: Fault; times: number; played: number }
export type Hold = {
  readonly when: 'before' | 'after'
  readonly arrive: () => void
  readonly gone: Promise<'go' | 'cut'>
}

/** Thrown for what cannot happen at a provider, with the reason: the situation is none of its own. */
export class CannotHappen extends Error {}

/** Faults of the next calls, in the order in which they were planned. */
export class PlannedFaults {
  private readonly orders = new Map<ProviderCall, Order[]>()
  private readonly held = new Map<ProviderCall, Hold>()
  private readonly counts = new Map<ProviderCall, number>()
  private readonly missed: string[] = []

  /** Answers the next calls with a fault. One that `mayMiss` need not come. */
  interfere(call: ProviderCall, fault: Fault, times = Number.POSITIVE_INFINITY, mayMiss = false): void {
    this.orders.set(call, [...(this.orders.get(call) ?? []), { fault, times, played: mayMiss ? 1 : 0 }])
  }

  /** Holds the next call of this kind. */
  hold(call: ProviderCall, when: 'before' | 'after'): CallOnHold {
    let [arrive, go]: [() => void, (how: 'go' | 'cut') => void] = [() => {}, () => {}]
    const waiting = new Promise<void>((resolve) => (arrive = resolve))
    const gone = new Promise<'go' | 'cut'>((resolve) => (go = resolve))
    this.held.set(call, { when, arrive, gone })
    return { waiting, release: () => go('go'), cut: () => go('cut') }
  }

  /** Ends all interference; faults that never came are remembered. */
  clear(): void {
    this.missed.push(...this.unplayed())
    for (const map of [this.orders, this.held, this.counts]) map.clear()
  }

  private unplayed = (): string[] =>
    [...this.orders].flatMap(([call, orders]) =>
      orders.filter(({ played }) => played === 0).map(({ fault }) => `${fault} of ${call}`),
    )

  /** Takes the faults that never came: a situation without its fault proves nothing. */
  takeMissed = (): readonly string[] => this.missed.splice(0)

  count = (call: ProviderCall): number => this.counts.get(call) ?? 0

  /** Counts a call, and takes its hold. */
  arrive(call: ProviderCall): Hold | undefined {
    this.counts.set(call, this.count(call) + 1)
    const held = this.held.get(call)
    this.held.delete(call)
    return held
  }

  /** Takes the fault that is next for a call, if it is one of these. */
  next(call: ProviderCall, among: (fault: Fault) => boolean = () => true): Fault | undefined {
    const order = this.orders.get(call)?.find(({ fault, times }) => times > 0 && among(fault))
    if (!order) return undefined
    order.times -= 1
    order.played += 1
    return order.fault
  }
}

/** Lets a held call wait; false if its connection is cut. */
export async function passes(held: Hold): Promise<boolean> {
  held.arrive()
  return (await held.gone) === 'go'
}
