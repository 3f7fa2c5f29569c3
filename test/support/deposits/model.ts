/** A plain model of one deposit of 1,000 USDC, beside the service: both get every command. */
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { receiveDeposit } from '../../../activities/deposits.ts'
import { main } from '../../../activities/index.ts'
import { administer } from '../../../admin.ts'
import { depositIdOf } from '../../../domain/deposits/deposit.ts'
import { Refusal } from '../../../domain/errors.ts'
import type { OrganizationId } from '../../../domain/ids.ts'
import { type TestPerson, api } from '../api.ts'
import { owner } from '../database.ts'
import {
  type DepositRef,
  OTHER,
  OWN,
  answer,
  arriveSilently,
  depositAt,
  depositor,
  noteReturned,
  pursue,
} from './deposits.ts'
import { fault } from '../partners/partners.ts'

export const STATES = [
  'nowhere',
  'unmatched',
  'unmatched_returning',
  'unmatched_returned',
  'held',
  'held_after_assignment',
  'returning',
  'credited',
  'returned',
] as const
export type State = (typeof STATES)[number]

export const COMMANDS = [
  'arrive',
  'answer',
  'answer_otherwise',
  'answer_incompletely',
  'time_is_over',
  'return_fails',
  'return',
  'assign',
  'give_back_fails',
  'give_back',
] as const
export type Command = (typeof COMMANDS)[number]

/** `assigned`: by an operator. */
export type Model = { state: State; assigned: boolean; answered: 'answer' | 'answer_otherwise' | null }
export type World = { boss: TestPerson; id: string; ref: DepositRef; partnerDepositId: string }

/** An organization with an address, and 1,000 USDC for it or for an unknown account. */
export async function world(known: boolean): Promise<World> {
  const { boss, id } = await depositor()
  const account = `0x${randomUUID()}`
  if (known) {
    await owner`insert into receiving_accounts (id, organization_id, rail, currency, network, status, account, details)
      values (${randomUUID()}, ${id}, 'crypto', 'USDC', 'ethereum', 'active', ${account}, '{}')`
  }
  const partnerDepositId = await arriveSilently('custodian', account, '1000', 'USDC')
  const ref = { organizationId: id as OrganizationId, id: depositIdOf('custodian', partnerDepositId) }
  return { boss, id, ref, partnerDepositId }
}

export const newModel = (): Model => ({ state: 'nowhere', assigned: false, answered: null })

const done = 'done'
type Outcome = string

/** Computes the model's answer to a command, and applies it. `known`: the account has an owner. */
export function expected(m: Model, command: Command, known: boolean): Outcome {
  const unmatched = ['unmatched', 'unmatched_returning', 'unmatched_returned'].includes(m.state)
  const waits = m.state === 'held' || m.state === 'held_after_assignment'
  const to = (state: State, outcome: Outcome = done): Outcome => {
    m.state = state
    return outcome
  }
  switch (command) {
    case 'arrive':
      return m.state === 'nowhere' ? to(known ? 'held' : 'unmatched') : done
    case 'answer':
    case 'answer_otherwise':
      if (m.state === 'nowhere' || unmatched) return 'not_found'
      if (m.state === 'credited') return m.answered === command ? done : 'invalid_state'
      if (!waits) return 'invalid_state'
      m.answered = command
      return to('credited')
    case 'answer_incompletely':
      if (m.state === 'nowhere' || unmatched) return 'not_found'
      return waits ? 'travel_rule_incomplete' : 'invalid_state'
    case 'time_is_over':
      if (m.state === 'nowhere' || unmatched) return 'not_found'
      return waits ? to('returning') : done
    case 'return_fails':
      return m.state === 'returning' ? 'failed' : done
    case 'return':
      if (m.state === 'nowhere' || unmatched) return 'not_found'
      if (waits) return 'invalid_state'
      return m.state === 'returning' ? to('returned') : done
    case 'assign':
      if (m.state === 'nowhere' || known) return 'not_found'
      if (m.assigned) return done
      if (m.state !== 'unmatched') return 'invalid_state'
      m.assigned = true
      return to('held_after_assignment')
    case 'give_back_fails':
      if (m.state === 'nowhere' || known) return 'not_found'
      if (m.assigned) return 'invalid_state'
      return m.state === 'unmatched' ? to('unmatched_returning', 'failed') : 'failed'
    case 'give_back':
      if (m.state === 'nowhere' || known) return 'not_found'
      return m.assigned ? 'invalid_state' : to('unmatched_returned')
  }
}

export async function given(w: World, command: Command): Promise<Outcome> {
  switch (command) {
    case 'arrive':
      return outcomeOf(receiveDeposit({ partner: 'custodian', partnerDepositId: w.partnerDepositId }))
    case 'answer':
      return answered(w, OTHER)
    case 'answer_otherwise':
      return answered(w, OWN)
    case 'answer_incompletely':
      return answered(w, { own_account: false, attestation: true })
    case 'time_is_over':
      await owner`update deposits set release_by = business_now() where id = ${w.ref.id} and status = 'held'`
      return looked(w)
    case 'return_fails':
      return failing(() => asked(w))
    case 'return':
      return outcomeOf(pursue(w.ref).then(() => noteReturned(w.ref)))
    case 'assign':
      return outcomeOf(administer(['deposits', 'assign', await unmatchedId(w), w.id]))
    case 'give_back_fails':
      return failing(async () => administer(['deposits', 'return', await unmatchedId(w)]))
    case 'give_back':
      return outcomeOf(administer(['deposits', 'return', await unmatchedId(w)]))
  }
}

const answered = async (w: World, body: object): Promise<Outcome> => {
  const told = await answer(w.boss, w.ref.id, body)
  return told.status === 200 ? done : told.body.error.type
}

async function looked(w: World): Promise<Outcome> {
  await main.startReturn(w.ref)
  const view = await main.viewDeposit(w.ref)
  if (view.again) throw new Error('nobody else changes it')
  return view.status === 'gone' ? 'not_found' : done
}

/** Takes a step at the partner, which never fails: an unclear answer is noted in the row and retried. */
async function asked(w: World): Promise<void> {
  const before = await asksOf(w)
  await pursue(w.ref)
  if ((await asksOf(w)) > before) throw new Error('the partner gave no clear answer')
}

const asksOf = async ({ ref }: World): Promise<number> =>
  (await owner<{ asks: number }[]>`select asks from deposits where id = ${ref.id}`)[0]?.asks ?? 0

async function failing(deed: () => Promise<unknown>): Promise<Outcome> {
  await fault('custodian', 'error', 1)
  const outcome = await outcomeOf(deed())
  await owner`delete from sandbox_faults`
  return outcome
}

const outcomeOf = (deed: Promise<unknown>): Promise<Outcome> =>
  deed.then(
    () => done,
    (error: unknown) => (error instanceof Refusal ? error.type : 'failed'),
  )

async function unmatchedId(w: World): Promise<string> {
  const [row] = await owner`select id from unmatched_deposits where partner_deposit_id = ${w.partnerDepositId}`
  return row?.['id'] ?? randomUUID()
}

const SEEN: Readonly<Record<State, { status: string | null; balance: string; suspense: string; partner: string }>> = {
  nowhere: { status: null, balance: '0', suspense: '0', partner: 'received' },
  unmatched: { status: null, balance: '0', suspense: '1000', partner: 'received' },
  unmatched_returning: { status: null, balance: '0', suspense: '1000', partner: 'received' },
  unmatched_returned: { status: null, balance: '0', suspense: '0', partner: 'returned' },
  held: { status: 'held', balance: '0', suspense: '1000', partner: 'received' },
  held_after_assignment: { status: 'held', balance: '0', suspense: '1000', partner: 'received' },
  returning: { status: 'held', balance: '0', suspense: '1000', partner: 'received' },
  credited: { status: 'credited', balance: '1000.000000', suspense: '0', partner: 'received' },
  returned: { status: 'returned', balance: '0', suspense: '0', partner: 'returned' },
}

export async function compare(m: Model, w: World): Promise<void> {
  const token = w.boss.token
  const path = `/organizations/${w.id}`
  const [deposits, balances, integrity, feed, partner, [books]] = await Promise.all([
    api('GET', `${path}/deposits`, { token }),
    api('GET', `${path}/balances`, { token }),
    api('GET', `${path}/ledger/integrity`, { token }),
    api('GET', `${path}/transactions`, { token }),
    depositAt('custodian', w.partnerDepositId),
    owner`
      select coalesce(sum(e.amount) filter (where a.kind = 'suspense'), 0)::float8::text as suspense
      from ledger_transfers t join ledger_entries e on e.transfer_id = t.id join ledger_accounts a on a.id = e.account_id
      where t.key like ${`deposit:${w.ref.id}:%`} or t.key like ${`unmatched:${await unmatchedId(w)}:%`}`,
  ])
  const [deposit, ...more] = deposits.body.data
  expect(more).toEqual([])
  expect(
    {
      status: deposit?.status ?? null,
      balance: balances.body.data[0]?.total.amount ?? '0',
      suspense: books?.['suspense'],
      partner: partner?.status,
    },
    m.state,
  ).toEqual(SEEN[m.state])
  const asks = m.state === 'held' || m.state === 'held_after_assignment'
  expect(deposit?.needs_sender_travel_rule ?? false).toBe(asks)
  const fed = feed.body.data.map((row: { status: string }) => row.status)
  expect(fed).toEqual(m.state === 'credited' ? ['posted'] : deposit?.status === 'held' ? ['pending'] : [])
  expect(integrity.body.violations).toEqual([])
  expect(partner?.version).toBe(SEEN[m.state].partner === 'returned' ? 2 : 1)
}
