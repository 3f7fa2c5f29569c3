/** Situation of the conformance kit: its needs, and short ways to write one. */
import type { Capabilities, Rail } from './provider.ts'
import { type Kit, Scene } from './scene.ts'
import { type Expectation, type Verdict, judge } from './verdict.ts'

export type Situation = {
  /** Says what happens; a driver fails by this name. */
  readonly name: string
  /** Loss where it is not handled, in words before the amount. */
  readonly risk: string
  /** Needs without which it cannot happen at a provider. */
  readonly needs: readonly Ability[]
  readonly run: (kit: Kit) => Promise<Verdict>
}

/** Ability of a provider, and the reason why what needs it cannot happen without. */
export type Ability = { readonly holds: (can: Capabilities) => boolean; readonly reason: string }

/** Makes an ability. */
export const ability = (reason: string, holds: Ability['holds']): Ability => ({ reason, holds })

/** Finds the reason why a situation cannot happen at a provider; null if it can. */
export const hindranceOf = ({ needs }: Situation, can: Capabilities): string | null =>
  needs.find(({ holds }) => !holds(can))?.reason ?? null

/** Needs a rail, on which a payment is then played. */
export const onRail = (rail: Rail): Ability =>
  ability(rail === 'fiat' ? 'it is no bank' : 'it has no coins', ({ rails }) => rails.includes(rail))

export const LISTS = ability('its lists are what we have stored of its files', ({ files }) => !files)
export const CALLED = ability('it gets files, and no calls', ({ files }) => !files)
export const BY_FILES = ability('it is called, and gets no files', ({ files }) => files === true)
export const CALLS_BACK = ability('it calls nobody back', ({ callbacks }) => callbacks)
export const DATES_CALLBACKS = ability('its callbacks have no time', ({ undatedCallbacks }) => !undatedCallbacks)
export const OPENS_ACCOUNTS = ability('it is not asked for accounts', ({ opensAccounts }) => opensAccounts)
export const RETURNS_DEPOSITS = ability('it sends no deposits back', ({ returnsDeposits }) => returnsDeposits)
export const FORGETS_KEYS = ability('it keeps our ids for ever', ({ keepsKeys }) => keepsKeys !== 'ever')
export const IS_INSTANT = ability('it has no instant payments', ({ instant }) => instant === true)
/** Payout that can come back after it was paid. */
export const RETURNABLE = ability('what it has paid never comes back', ({ paysForGood }) => !paysForGood)
export const RETURNS_PARTS = ability('what comes back is what was sent', ({ returnsParts }) => returnsParts === true)
/** Payment in coins that its provider takes back until it is on its way. */
export const CANCELLABLE = ability('it cancels nothing', ({ cancels }) => cancels.includes('crypto'))

/** Secret that no provider has: a callback that is signed by it is forged. */
export const OTHER_SECRET = 'whsec_Zm9yZ2VkLWZvcmdlZC1mb3JnZWQtZm9yZ2VkLTEyMzQ='

/** Makes a situation of one approved payment of 100.00; `play` is what happens to it. */
export const ofPayment = (
  name: string,
  risk: string,
  play: (scene: Scene) => Promise<unknown>,
  expected: Expectation | ((can: Capabilities) => Expectation),
  ...needs: readonly Ability[]
): Situation => ({
  name,
  risk,
  needs,
  run: async (kit) => {
    const scene = await Scene.begin(kit, needs.includes(CANCELLABLE) ? 'crypto' : undefined)
    await play(scene)
    return judge(scene, typeof expected === 'function' ? expected(kit.provider.can) : expected)
  },
})

/** Makes a situation that judges itself. */
export const ofKit = (
  name: string,
  risk: string,
  run: (kit: Kit) => Promise<Verdict>,
  ...needs: readonly Ability[]
): Situation => ({ name, risk, needs, run })

export const PAID: Expectation = { ends: ['succeeded'] }
export const CANCELLED: Expectation = { ends: ['cancelled'] }
/** Chooses an end by whether the provider is reached by files: what is wrong in those is found in them. */
export const byFiles =
  (ofFiles: Expectation, ofCalls: Expectation) =>
  ({ files }: Capabilities): Expectation =>
    files ? ofFiles : ofCalls
/** End of what is only known while the provider keeps its key: a person looks where that is over. */
export const PAID_IF_KNOWN = ({ keepsKeys }: Capabilities): Expectation =>
  keepsKeys === 'ever' ? PAID : { ends: ['succeeded', 'on_hold'] }
export const UNKNOWABLE: Expectation = { ends: ['on_hold'] }
