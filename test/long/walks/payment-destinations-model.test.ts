/** A contact against a plain model, under any sequence of commands. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Answer, type TestPerson, api, withStepUp } from '../../support/api.ts'
import { setRules } from '../../support/approvals/approvals.ts'
import { owner } from '../../support/database.ts'
import { BANK, WALLET, add, contactWith, seen } from '../../support/contacts/destinations.ts'
import { staffOf } from '../../support/organizations/members.ts'
import { walkAll } from '../../support/walks.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

const ACCOUNTS = [
  BANK,
  WALLET,
  { ...BANK, iban: 'DE02500105170137075030' },
  { ...WALLET, network: 'tron', coin: 'USDT', address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' },
]

type Destination = { id: string; account: number; pending: boolean }
type Model = {
  name: string
  policy: boolean
  waits: boolean
  /** Oldest first. */
  destinations: Destination[]
  marked: string | null
  next: string | null
  nextName: string | null
}

const defaultOf = ({ destinations, marked }: Model): string | null => {
  const paid = destinations.filter(({ pending }) => !pending)
  return (paid.find(({ id }) => id === marked) ?? paid[0])?.id ?? null
}

type World = { boss: TestPerson; admin: TestPerson; organizationId: string; contact: string }
type Command = { name: string; pick: number; mark: boolean }

/** Runs a command, checks its answer, and updates the model unless it was refused. */
async function run(model: Model, world: World, { name, pick, mark }: Command): Promise<void> {
  const { boss, contact } = world
  const { destinations } = model
  const chosen = destinations.length > 0 ? destinations[pick % destinations.length] : undefined
  switch (name) {
    case 'add': {
      const account = pick % ACCOUNTS.length
      const answer = await add(boss, contact, { ...ACCOUNTS[account], default: mark })
      if (model.waits || destinations.some((one) => one.account === account)) return expectStatus(answer, 409)
      expectStatus(answer, 201)
      const { id } = answer.body
      const becomes = mark || destinations.length === 0
      destinations.push({ id, account, pending: model.policy })
      if (model.policy) Object.assign(model, { waits: true, next: becomes ? id : null })
      else if (mark) model.marked = id
      return
    }
    case 'mark': {
      if (!chosen) return
      const { id } = chosen
      const answer = await api('PATCH', `/payment-destinations/${id}`, { token: boss.token, body: { default: true } })
      if (model.waits) return expectStatus(answer, 409)
      expectStatus(answer, 200)
      if (id === defaultOf(model)) return
      if (model.policy) Object.assign(model, { waits: true, next: id })
      else model.marked = id
      return
    }
    case 'delete': {
      if (!chosen) return
      const { id } = chosen
      const answer = await api('DELETE', `/payment-destinations/${id}`, { token: boss.token })
      const kept = model.policy && id === defaultOf(model) && destinations.length > 1
      if (model.waits || kept) return expectStatus(answer, 409)
      expectStatus(answer, 200)
      model.destinations = destinations.filter((one) => one.id !== id)
      return
    }
    case 'rename': {
      const name = `Name ${pick}`
      const refused = model.waits && name !== model.name // its present name is no change
      expectStatus(await rename(world, name), refused ? 409 : 200)
      if (refused || name === model.name) return
      if (model.policy) Object.assign(model, { waits: true, nextName: name })
      else model.name = name
      return
    }
    case 'policy':
      model.policy = mark
      return setPolicy(world, mark)
    default:
      return settle(model, world, name)
  }
}

async function settle(model: Model, world: World, verb: string): Promise<void> {
  const { approval_request_id: id } = await seen(world.boss, world.contact)
  if (!id) return
  const by = verb === 'cancel' ? world.boss : world.admin
  const path = `/organizations/${world.organizationId}/approvals/${id}/${verb}`
  const answer = await withStepUp('POST', path, { token: by.token, body: {} })
  // idempotent replay of the decision
  if (!model.waits) {
    expect([200, 409]).toContain(answer.status)
    return
  }
  expectStatus(answer, 200)
  if (verb === 'approve') {
    for (const one of model.destinations) one.pending = false
    model.marked = model.next ?? model.marked
    model.name = model.nextName ?? model.name
  } else {
    model.destinations = model.destinations.filter(({ pending }) => !pending)
  }
  Object.assign(model, { waits: false, next: null, nextName: null })
}

const expectStatus = (answer: Answer, status: number): void =>
  expect(answer.status, JSON.stringify(answer.body)).toBe(status)
const rename = ({ boss, contact }: World, name: string) =>
  api('PATCH', `/payment-contacts/${contact}`, { token: boss.token, body: { name, tag: null } })
const setPolicy = ({ organizationId, boss }: World, asked: boolean) =>
  setRules(
    organizationId,
    boss,
    asked ? [{ action_type: 'payment_contact', steps: [{ required: 1, roles: ['admin'] }] }] : [],
  )

async function compare(model: Model, { boss, contact }: World): Promise<void> {
  const read = await seen(boss, contact)
  expect(read.status).toBe(model.waits ? 'pending_approval' : 'active')
  expect([read.name, read.becomes_name]).toEqual([model.name, model.nextName])
  expect(read.destinations.map((one: any) => [one.id, one.status, one.default, one.becomes_default])).toEqual(
    model.destinations.map(({ id, pending }) => [
      id,
      pending ? 'pending_approval' : 'active',
      id === defaultOf(model),
      id === model.next,
    ]),
  )
  const waiting = await owner`select 1 from approvals where target_id = ${contact} and status = 'pending'`
  expect(waiting).toHaveLength(model.waits ? 1 : 0)
}

const command = fc.record({
  name: fc.constantFrom(
    'add',
    'add',
    'add',
    'mark',
    'mark',
    'delete',
    'rename',
    'policy',
    'approve',
    'reject',
    'cancel',
  ),
  pick: fc.nat({ max: 11 }),
  mark: fc.boolean(),
})
const walks = fc.record({ policy: fc.boolean(), commands: fc.array(command, { minLength: 8, maxLength: 20 }) })

test('commands one after another', () =>
  walkAll(walks, async ({ policy, commands }) => {
    const { boss, payer, contact } = await contactWith([])
    const [admin] = await staffOf(payer.id, 'admin')
    const world = { boss, admin, organizationId: payer.id, contact }
    const start = { waits: false, destinations: [], marked: null, next: null, nextName: null }
    const model: Model = { ...start, name: 'Payee', policy }
    await setPolicy(world, policy)
    for (const one of commands) {
      await run(model, world, one)
      await compare(model, world)
    }
  }))
