/** Situation of the conformance kit, and short ways to write one. */
import type { Capabilities, Rail } from './provider.ts'
import { type Kit, Scene } from './scene.ts'
import { type Expectation, type Verdict, judge } from './verdict.ts'

export type Situation = {
  /** Says what happens; a driver fails by this name. */
  readonly name: string
  /** Loss where it is not handled, in words before the amount. */
  readonly risk: string
  /** False for a provider in which it cannot happen. */
  readonly isPossible: (can: Capabilities) => boolean
  readonly run: (kit: Kit) => Promise<Verdict>
}

/** Abilities of a provider without which a situation cannot happen. */
type Needs = { readonly rail?: Rail; readonly needs?: (can: Capabilities) => boolean }

const always = () => true

/** Payout that can come back after it was paid. */
export const RETURNABLE: Needs = { needs: ({ paysForGood }) => !paysForGood }

/** Payment in coins that its provider takes back until it is on its way. */
export const CANCELLABLE: Needs = { rail: 'crypto', needs: ({ cancels }) => cancels.includes('crypto') }

/** Secret that no provider has: a callback that is signed by it is forged. */
export const OTHER_SECRET = 'whsec_Zm9yZ2VkLWZvcmdlZC1mb3JnZWQtZm9yZ2VkLTEyMzQ='

/** Makes a situation of one approved payment of 100.00; `play` is what happens to it. */
export const ofPayment = (
  name: string,
  risk: string,
  play: (scene: Scene) => Promise<unknown>,
  expected: Expectation | ((can: Capabilities) => Expectation),
  { rail, needs = always }: Needs = {},
): Situation => ({
  name,
  risk,
  isPossible: (can) => (rail === undefined || can.rails.includes(rail)) && needs(can),
  run: async (kit) => {
    const scene = await Scene.begin(kit, rail)
    await play(scene)
    return judge(scene, typeof expected === 'function' ? expected(kit.provider.can) : expected)
  },
})

/** Makes a situation that judges itself. */
export const ofKit = (
  name: string,
  risk: string,
  run: (kit: Kit) => Promise<Verdict>,
  needs: (can: Capabilities) => boolean = always,
): Situation => ({ name, risk, isPossible: needs, run })

export const PAID: Expectation = { ends: ['succeeded'] }
export const CANCELLED: Expectation = { ends: ['cancelled'] }
/** End of what is only known while the provider keeps its key: a person looks where that is over. */
export const PAID_IF_KNOWN = ({ keepsKeys }: Capabilities): Expectation =>
  keepsKeys === 'ever' ? PAID : { ends: ['succeeded', 'on_hold'] }
export const UNKNOWABLE: Expectation = { ends: ['on_hold'] }
