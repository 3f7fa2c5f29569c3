/** Participants of a chaos run: organizations with money, people with roles and policies, contacts by every rail. */
import { type TestPerson, api, contact, fund, join, organization, person } from '../api.ts'
import { setRules } from '../approvals/approvals.ts'
import { BANK, WALLET } from '../contacts/destinations.ts'
import { AT_SECOND } from '../partners/two.ts'
import { fundCoins } from '../payments/payouts.ts'

export const RAILS = ['svc_id', 'fiat', 'crypto'] as const
export type Rail = (typeof RAILS)[number]
const CURRENCY = { svc_id: 'USD', fiat: 'EUR', crypto: 'USDC' } as const

/** Currency of what a house pays and receives by a rail; a house with dollars is at the second bank. */
export const currencyOf = ({ hasDollars }: Pick<House, 'hasDollars'>, rail: Rail): string =>
  rail === 'fiat' && hasDollars ? 'USD' : CURRENCY[rail]

export type House = {
  readonly id: string
  readonly people: readonly [TestPerson, TestPerson, TestPerson, TestPerson]
  /** Approvers in this order; the second admin never requests. */
  readonly approvers: readonly TestPerson[]
  /** Requesters: without self-approval, none of the approvers. */
  readonly requesters: readonly TestPerson[]
  /** It pays by the second bank, but for its batches. */
  readonly hasDollars: boolean
  readonly contacts: Readonly<Record<Rail, string>>
  readonly pays: string
  readonly paysHandle: string
  readonly opening: Readonly<Record<string, string>>
}

const OPENING = { USD: '20000.00', EUR: '20000.00' }
const COINS = ['990.00', '990.00', '990.00', '990.00', '990.00', '990.00'] // each below the travel rule threshold

/**
 * Four organizations in a ring: one approver; two of the board, never oneself; an admin and then the owner; one again.
 */
export async function city(): Promise<House[]> {
  const empty = await Promise.all(['One', 'Two', 'Steps', 'Four'].map(staffed))
  const board = { steps: [{ required: 2, roles: ['owner', 'admin'] }], self_approval: false }
  const inSteps = {
    steps: [
      { required: 1, roles: ['admin'] },
      { required: 1, roles: ['owner'] },
    ],
    self_approval: true,
  }
  for (const [index, rule] of [[1, board] as const, [2, inSteps] as const]) {
    await setRules(empty[index]!.id, empty[index]!.people[0], [rule, { ...rule, action_type: 'payment_batch' }])
  }
  return Promise.all(empty.map((one, index) => furnish(one, empty[(index + 1) % empty.length]!, index)))
}

type Empty = { id: string; svcId: string; people: House['people'] }

async function staffed(name: string): Promise<Empty> {
  const [boss, first, second, member] = await Promise.all([
    person({ authenticator: true }),
    person(),
    person({ authenticator: true }),
    person(),
  ])
  const { id, svcId } = await organization(boss, name)
  await Promise.all([join(id, first, 'admin'), join(id, second, 'admin'), join(id, member, 'member')])
  return { id, svcId, people: [boss, first, second, member] }
}

async function furnish({ id, people }: Empty, next: Empty, index: number): Promise<House> {
  const [boss, first, second, member] = people
  for (const currency of ['USD', 'EUR'] as const) await fund(id, OPENING[currency], currency)
  for (const amount of COINS) await fundCoins(id, amount)
  const add = async (destination: { readonly type: string }) => {
    const body = { name: `Payee by ${destination.type}`, type: 'business', destinations: [destination] }
    const made = await api('POST', `/organizations/${id}/payment-contacts`, { token: boss.token, body })
    if (made.status !== 201) throw new Error(`contact: ${JSON.stringify(made.body)}`)
    return made.body.id as string
  }
  const approvers = [[boss], [boss, second], [first, boss], [second]][index] ?? [boss]
  const hasDollars = index % 2 === 1
  const contacts = {
    svc_id: await contact(boss, id, next.svcId),
    fiat: await add(hasDollars ? AT_SECOND : BANK),
    crypto: await add(WALLET),
  }
  const requesters = index === 1 ? [first, member] : [boss, first, member]
  const coins = String(COINS.reduce((sum, amount) => sum + Number(amount), 0))
  const pays = { pays: next.id, paysHandle: next.svcId }
  return { id, people, approvers, requesters, hasDollars, contacts, ...pays, opening: { ...OPENING, USDC: coins } }
}
