/** Speed of a payment: what a form offers, and what it asks for. */
import type { Markup } from '../../api/http/http.ts'
import type { Capability } from '../../domain/accounts/capability.ts'
import type { Pace } from '../../domain/payments/speed.ts'
import { type Choice, select } from '../frame/parts.ts'
import type { Rows, Viewer } from '../frame/viewer.ts'
import type { Words } from '../words/en.ts'

type SpeedName = keyof Words['pay']['speeds']

const PACES: Readonly<Record<SpeedName, Partial<Pace>>> = {
  standard: {},
  instant: { speed: 'instant', fallback: 'standard' },
  instant_only: { speed: 'instant', fallback: 'none' },
}
const NAMES = Object.keys(PACES) as SpeedName[] // its keys are those of its type

/** Lists the currencies in which a company can pay instantly. */
export async function findInstant(viewer: Viewer, companyId: string): Promise<readonly string[]> {
  const answer = await viewer.call<Rows<Capability>>('GET', `/organizations/${companyId}/capabilities`)
  if (!answer.ok) return []
  return [...new Set(answer.body.data.flatMap(({ currency, instant }) => (instant.available ? [currency] : [])))]
}

/** Offers the speeds of a payment, where one can be instant. */
export function speedChoice(value: string, currencies: readonly string[], { pay }: Words): Markup | '' {
  if (currencies.length === 0) return ''
  const choices = NAMES.map((name): Choice => [name, pay.speeds[name]])
  return select({ id: 'speed', label: pay.speed, value, hint: pay.speedHint(currencies.join(', ')), choices })
}

/** Reads the speed that was chosen into the question for a quote; nothing of a standard payment. */
export const paceFor = (chosen: string): Partial<Pace> => {
  const name = NAMES.find((one) => one === chosen)
  return name === undefined ? {} : PACES[name]
}

/** Names a pace as the form sends it. */
export const speedName = ({ speed, fallback }: Pace): SpeedName =>
  speed === 'standard' ? speed : fallback === 'none' ? 'instant_only' : speed

/** Names the speed of an instant payment; null of a standard one. */
export const speedWord = (pace: Pace, { pay }: Words): string | null =>
  pace.speed === 'instant' ? pay.speeds[speedName(pace)] : null
