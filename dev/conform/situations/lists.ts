/** Situations of lists: endless, repeated, reordered, cut, unreadable, or with what nobody ordered. */
import { type ListFault, mainRailOf } from '../provider.ts'
import { PARTNER, type Reconciliation, findingsAbout, hasFinding, reconcile } from '../reconciling.ts'
import { type Kit, Scene } from '../scene.ts'
import { later } from '../service.ts'
import { LISTS, type Situation, ofKit } from '../situation.ts'
import { type Verdict, all, judge, verdictOf } from '../verdict.ts'
import { PAID } from '../situation.ts'

const DAY_SECONDS = 90_000
const [UNSEEN, WRONG] = ['a difference that nobody sees', 'booked by a wrong list']

type Check = (found: Reconciliation, findings: readonly string[]) => Readonly<Record<string, boolean>>

/** Makes a situation in which the list of payouts misbehaves while a payment is paid: its books stay as they are. */
const ofList = (name: string, fault: ListFault, check: Check, risk = WRONG): Situation =>
  ofKit(
    name,
    risk,
    async (kit) => {
      const scene = await payScene(kit)
      const rail = mainRailOf(kit.provider.can)
      kit.provider.misbehaveInLists(rail, 'payouts', fault)
      await later(DAY_SECONDS) // the whole list is read, and an unread one is late
      const found = await reconcile(rail)
      const about = [scene.payment.id, `${PARTNER[rail]}:payouts`]
      const findings = (await Promise.all(about.map(findingsAbout))).flat()
      const verdict = await judge(scene, PAID)
      kit.provider.clear()
      const after = await readAgain(scene)
      return all(verdict, verdictOf(describe(found, findings), check(found, findings)), after)
    },
    LISTS,
  )

const payScene = async (kit: Kit): Promise<Scene> => {
  const scene = await Scene.begin(kit)
  await scene.settle()
  return scene
}

/** Reconciles with an honest list: no finding about the payment stays. */
async function readAgain(scene: Scene): Promise<Verdict> {
  await later(DAY_SECONDS)
  const { rail } = scene.payment
  await reconcile(rail) // a reading that began in a wrong list ends
  const { failed } = await reconcile(rail)
  const left = await findingsAbout(scene.payment.id)
  return verdictOf('read again', {
    [`not read again: ${failed}`]: failed === null,
    [`stays ${left.join(', ')}`]: left.length === 0,
  })
}

const describe = ({ failed }: Reconciliation, findings: readonly string[]): string =>
  `${failed ? 'the list is not read' : 'the list is read'}${findings.length > 0 ? `; finding ${findings.join(', ')}` : ''}`

const unread: Check = ({ failed }, findings) => ({
  'the list counts as read': failed !== null,
  'no finding that it is not read': hasFinding(findings, 'payouts_not_read'),
})
const harmless: Check = ({ failed }, findings) => ({
  [`the list is not read: ${failed}`]: failed === null,
  [`a finding without a cause: ${findings.join(', ')}`]: findings.length === 0,
})

export const lists: readonly Situation[] = [
  ofList('a list repeats its entries', 'twice', harmless),
  ofList('a list is in the wrong order', 'backward', harmless),
  ofList('a list shows one page for ever', 'endless', unread, UNSEEN),
  ofList('a list goes in a circle', 'circle', unread, UNSEEN),
  ofList('a list is too large to be read', 'huge', unread, UNSEEN),
  ofList(
    'a list leaves out a payout',
    'skip',
    (_, findings) => ({ 'no finding payout_missing': hasFinding(findings, 'payout_missing') }),
    UNSEEN,
  ),
  ofList(
    'a list has an entry that cannot be read',
    'unreadable',
    ({ failed }, findings) => ({
      'the rest of the list is not read': failed === null,
      'no finding unreadable_record': findings.includes('unreadable_record'),
    }),
    UNSEEN,
  ),
  ofKit(
    'a list has a payout that nobody ordered',
    UNSEEN,
    async (kit) => {
      const rail = mainRailOf(kit.provider.can)
      const stranger = kit.provider.invent(rail, { amount: '100.00', currency: kit.service.currencies[rail] })
      await reconcile(rail)
      const findings = await findingsAbout(stranger.key)
      kit.provider.forget(stranger.handle)
      return verdictOf(`finding ${findings.join(', ')}`, {
        'no finding payout_of_no_payment': hasFinding(findings, 'payout_of_no_payment'),
      })
    },
    LISTS,
  ),
  ofKit('the clock of the provider is a day ahead', WRONG, async (kit) => {
    kit.provider.setClock(24)
    const scene = await payScene(kit)
    const { failed } = await reconcile(scene.payment.rail)
    return all(await judge(scene, PAID), verdictOf('read', { [`not read: ${failed}`]: failed === null }))
  }),
  ofKit('the clock of the provider is a day behind', WRONG, async (kit) => {
    kit.provider.setClock(-24)
    const scene = await payScene(kit)
    const { failed } = await reconcile(scene.payment.rail)
    return all(await judge(scene, PAID), verdictOf('read', { [`not read: ${failed}`]: failed === null }))
  }),
]
