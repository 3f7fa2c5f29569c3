/** Items, taxes and sums of a bill, in minor units. */
import { digitsOf } from '../../../domain/money/currencies.ts'
import { type Random, pick } from '../random.ts'
import type { Country } from './countries.ts'
import { below } from './formats.ts'
import { GOODS } from './goods.ts'
import type { SceneKind } from './scene.ts'

export type Item = { readonly text: string; readonly quantity: number; readonly price: bigint; readonly rate: number }
type Bill = {
  readonly items: readonly Item[]
  readonly taxes: readonly { readonly rate: number; readonly tax: bigint }[]
  readonly net: bigint
  readonly tax: bigint
  readonly gross: bigint
  /** A usual price in the currency, and the usual rate of tax. */
  readonly unit: bigint
  readonly rate: number
}

/** Makes items of one or two rates, and sums them up as bills do: tax once for each rate. */
export function billBy(random: Random, kind: SceneKind, { currency, language, rates }: Country): Bill {
  const scale = digitsOf(currency) ?? 2
  const unit = { JPY: 900n, HUF: 2500n, TND: 9000n, KWD: 700n, INR: 90_000n, CZK: 40_000n }[currency] ?? 1500n
  const count = kind === 'long' ? 34 : 1 + below(random, 6)
  const rate = rates[0] ?? 0
  const items = Array.from({ length: count }, (_, at) => {
    const price = unit * BigInt(1 + below(random, 60)) + (scale === 2 ? BigInt(below(random, 99)) : 0n)
    const quantity = 1 + below(random, 9)
    const ofRate = kind === 'rates' && rates.length > 1 ? (rates[at % 2] ?? rate) : rate
    return { text: pick(random, GOODS[language] ?? GOODS['en'] ?? []), quantity, price, rate: ofRate }
  })
  const netOf = (of: readonly Item[]) => of.reduce((sum, { quantity, price }) => sum + BigInt(quantity) * price, 0n)
  const taxes = [...new Set(items.map((item) => item.rate))].map((one) => {
    const base = netOf(items.filter((item) => item.rate === one))
    return { rate: one, base, tax: (base * BigInt(Math.round(one * 100)) + 5000n) / 10_000n }
  })
  const net = netOf(items)
  const tax = taxes.reduce((sum, one) => sum + one.tax, 0n)
  const gross = net + tax
  return { items, taxes, net, tax, gross, unit, rate }
}
