/** A plain model of an invitation: what each kind of person may do in each state, and the calls. */
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { type Answer, type TestPerson, api, approve, join, organization, person } from '../api.ts'
import { decide, setRules } from '../approvals/approvals.ts'
import {
  DAY_SECONDS,
  accept,
  asksForApproval,
  decline,
  eventsOf,
  invite,
  list,
  pass,
  remove,
  resend,
  statusOf,
  tokensTo,
} from './invitations.ts'
import { rolesOf } from '../organizations/members.ts'
import { eventually } from '../runs/runs.ts'
import { told } from '../walks.ts'

export const STATES = ['none', 'pending_approval', 'pending', 'accepted', 'declined', 'deleted', 'expired'] as const
export type State = (typeof STATES)[number]
/** `guest` is the invited person; `other` has their own invitation; a `stranger` has none. */
export const ACTORS = ['owner', 'admin', 'member', 'stranger', 'guest', 'other'] as const
export type Actor = (typeof ACTORS)[number]
export const COMMANDS = ['invite', 'resend', 'delete', 'accept', 'decline', 'approve', 'reject'] as const
export type Command = (typeof COMMANDS)[number]

export type Model = {
  policy: boolean
  state: State
  approval: 'none' | 'pending' | 'approved' | 'rejected' | 'cancelled' | 'expired'
  decidedBy: Actor | null
  mailed: boolean
  joined: boolean
  day: number
  deadline: number
  log: string[]
}
export const newModel = (): Model => ({
  policy: false,
  state: 'none',
  approval: 'none',
  decidedBy: null,
  mailed: false,
  joined: false,
  day: 0,
  deadline: 0,
  log: [],
})

export type Real = {
  id: string
  people: Record<Actor, TestPerson>
  invitation: { id: string; approval_request_id: string | null }
}

export async function cast(): Promise<Real['people']> {
  const people = await Promise.all(ACTORS.map(async (actor) => [actor, await person()] as const))
  return Object.fromEntries(people) as Real['people'] // one for each actor
}

export async function world(people: Real['people']): Promise<Real> {
  const { id } = await organization(people.owner)
  await Promise.all([join(id, people.admin, 'admin'), join(id, people.member, 'member')])
  expect((await invite(people.owner, id, [{ email: people.other.email }])).status).toBe(201)
  return { id, people, invitation: { id: randomUUID(), approval_request_id: null } }
}

/** `done`, `same` for a repeat, or the type of the refusal. */
type Outcome = string

function barred(m: Model, actor: Actor): Outcome | undefined {
  if (actor === 'owner' || actor === 'admin') return undefined
  return actor === 'member' || (actor === 'guest' && m.joined) ? 'forbidden' : 'not_found'
}

const isOpen = ({ state }: Model) => state === 'pending' || state === 'pending_approval'

function answering(m: Model, actor: Actor): Outcome {
  if (!m.mailed || (m.state !== 'pending' && m.state !== 'expired')) return 'token_invalid'
  if (actor !== 'guest') return 'forbidden'
  return m.state === 'expired' ? 'invitation_expired' : 'done'
}

function deciding(m: Model, actor: Actor, own: 'approved' | 'rejected'): Outcome {
  if (m.approval === 'none') return 'not_found'
  if (m.approval === 'pending') return 'done'
  if (m.approval === 'expired') return 'approval_expired'
  return m.approval === own && m.decidedBy === actor ? 'same' : 'approval_already_processed'
}

const EXPECTED: Record<Command, (m: Model, actor: Actor) => Outcome> = {
  invite: (m, actor) => barred(m, actor) ?? (m.joined ? 'already_member' : isOpen(m) ? 'invalid_state' : 'done'),
  resend: (m, actor) => {
    if (m.state === 'expired') return barred(m, actor) ?? 'invitation_expired'
    if (m.state === 'pending_approval' || m.state === 'accepted') return barred(m, actor) ?? 'invalid_state'
    return barred(m, actor) ?? (m.state === 'pending' ? 'done' : 'not_found')
  },
  delete: (m, actor) =>
    barred(m, actor) ?? (isOpen(m) ? 'done' : m.state === 'accepted' ? 'invalid_state' : 'not_found'),
  accept: (m, actor) => (m.state === 'accepted' && actor === 'guest' ? 'same' : answering(m, actor)),
  decline: answering,
  approve: (m, actor) => barred(m, actor) ?? deciding(m, actor, 'approved'),
  reject: (m, actor) => barred(m, actor) ?? deciding(m, actor, 'rejected'),
}

const openFor = (m: Model, days: number) => {
  m.deadline = m.day + days
}
const APPLY: Record<Command, (m: Model, actor: Actor) => void> = {
  invite: (m) => {
    Object.assign(m, { log: ['created'], decidedBy: null, mailed: !m.policy })
    m.state = m.policy ? 'pending_approval' : 'pending'
    m.approval = m.policy ? 'pending' : 'none'
    openFor(m, m.policy ? 2 : 7)
  },
  resend: (m) => {
    m.log.push('resent')
    openFor(m, 7)
  },
  delete: (m) => {
    if (m.state === 'pending_approval') m.approval = 'cancelled'
    m.log.push('deleted')
    m.state = 'deleted'
  },
  accept: (m) => {
    m.log.push('accepted')
    Object.assign(m, { state: 'accepted', joined: true })
  },
  decline: (m) => {
    m.log.push('declined')
    m.state = 'declined'
  },
  approve: (m, actor) => {
    m.log.push('approved')
    Object.assign(m, { state: 'pending', approval: 'approved', decidedBy: actor, mailed: true })
    openFor(m, 7)
  },
  reject: (m, actor) => {
    m.log.push('refused')
    Object.assign(m, { state: 'deleted', approval: 'rejected', decidedBy: actor })
  },
}

const tokenOf = async (m: Model, r: Real): Promise<string> =>
  (m.mailed ? (await tokensTo(r.people.guest.email))[0] : undefined) ?? 'never-mailed'
const waiting = (r: Real) => ({
  organization_id: r.id,
  approval_request_id: r.invitation.approval_request_id ?? randomUUID(),
})

const CALL: Record<Command, (m: Model, r: Real, by: TestPerson) => Promise<Answer>> = {
  invite: async (_, r, by) => {
    const answer = await invite(by, r.id, [{ email: r.people.guest.email }])
    if (answer.status === 201) r.invitation = answer.body[0]
    return answer
  },
  resend: (_, r, by) => resend(by, r.id, r.invitation.id),
  delete: (_, r, by) => remove(by, r.id, r.invitation.id),
  accept: async (m, r, by) => accept(by, await tokenOf(m, r)),
  decline: async (m, r, by) => decline(by, await tokenOf(m, r)),
  approve: (_, r, by) => approve(by, waiting(r)),
  reject: (_, r, by) => decide(by, waiting(r), 'reject'),
}

/** Runs an actor's command, expects the model's answer, and returns whether it had an effect. */
export async function act(m: Model, r: Real, command: Command, actor: Actor): Promise<boolean> {
  const expected = EXPECTED[command](m, actor)
  const outcome = told(await CALL[command](m, r, r.people[actor]))
  expect(outcome, `${actor} ${command} while ${m.state}`).toBe(expected === 'same' ? 'done' : expected)
  if (expected === 'done') APPLY[command](m, actor)
  await agrees(m, r)
  return expected === 'done'
}

/** Lets days pass; overdue invitations end by themselves. */
export async function wait(m: Model, r: Real, days: number): Promise<void> {
  await pass(days * DAY_SECONDS)
  m.day += days
  if (isOpen(m) && m.day >= m.deadline) {
    const pendingApproval = m.state === 'pending_approval'
    m.log.push(pendingApproval ? 'refused' : 'expired')
    if (pendingApproval) m.approval = 'expired'
    m.state = pendingApproval ? 'deleted' : 'expired'
  }
  await eventually(() => statusOf(r.invitation.id)).toBe(m.state === 'none' ? undefined : m.state)
  await agrees(m, r)
}

export async function setPolicy(m: Model, r: Real, on: boolean): Promise<void> {
  await (on ? asksForApproval(r.people.owner, r.id) : setRules(r.id, r.people.owner, []))
  m.policy = on
}

export async function agrees(m: Model, r: Real): Promise<void> {
  const { owner: boss, guest } = r.people
  const listed = (await list(boss, r.id, `?q=${encodeURIComponent(guest.email)}`)).body.data
  const shown = m.state === 'accepted' || isOpen(m)
  const current = listed.filter((row: { id: string }) => row.id === r.invitation.id)
  expect(current.map((row: { status: string }) => row.status)).toEqual(shown ? [m.state] : [])
  expect(await statusOf(r.invitation.id)).toBe(m.state === 'none' ? undefined : m.state)
  expect(await rolesOf(r.id, [guest])).toEqual([m.joined ? 'member' : undefined])
  expect(await eventsOf(r.invitation.id)).toEqual(m.log.map((logged) => `invitation.${logged}`))
  if (m.approval === 'none') return
  const path = `/organizations/${r.id}/approvals/${r.invitation.approval_request_id}`
  expect((await api('GET', path, { token: boss.token })).body.status).toBe(
    m.approval === 'expired' ? 'cancelled' : m.approval,
  )
}
