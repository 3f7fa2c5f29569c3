/** Situation of the conformance kit, and short ways to write one. */
import type { Capabilities, Rail } from './provider.ts'
import { type Kit, Scene } from './scene.ts'
import { type Expected, type Verdict, judge } from './verdict.ts'

export type Situation = {
  /** Says what happens; a driver fails by this name. */
  readonly name: string
  /** What it costs where it is not handled, in words before the amount. */
  readonly risk: string
  /** False for a provider in which it cannot happen. */
  readonly isPossible: (can: Capabilities) => boolean
  readonly run: (kit: Kit) => Promise<Verdict>
}

/** What a provider must be able to do for a situation to happen. */
type Needs = { readonly rail?: Rail; readonly needs?: (can: Capabilities) => boolean }

const always = () => true

/** Makes a situation of one approved payment of 100.00; `play` is what happens to it. */
export const ofPayment = (
  name: string,
  risk: string,
  play: (scene: Scene) => Promise<unknown>,
  expected: Expected,
  { rail = 'fiat', needs = always }: Needs = {},
): Situation => ({
  name,
  risk,
  isPossible: (can) => can.rails.includes(rail) && needs(can),
  run: async (kit) => {
    const scene = new Scene(kit, await kit.service.pay(rail))
    await play(scene)
    return judge(scene, expected)
  },
})

/** Makes a situation that judges itself. */
export const ofKit = (
  name: string,
  risk: string,
  run: (kit: Kit) => Promise<Verdict>,
  needs: (can: Capabilities) => boolean = always,
): Situation => ({ name, risk, isPossible: needs, run })

export const PAID: Expected = { ends: ['succeeded'] }
export const UNKNOWABLE: Expected = { ends: ['on_hold'] }
