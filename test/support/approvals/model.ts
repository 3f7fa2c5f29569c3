/** A plain model of approvals: who may do what to one request. */
export type Role = 'owner' | 'admin' | 'member'
export type Status = 'pending' | 'approved' | 'rejected' | 'cancelled'
export type Step = { required: number; roles: Role[]; people: number[] }
export type Command = 'approve' | 'reject' | 'cancel'
export type Outcome =
  | 'done'
  | 'repeated'
  | 'not_found'
  | 'forbidden'
  | 'not_an_approver'
  | 'requester_cannot_approve'
  | 'approval_already_processed'
  | 'no_eligible_approver'

/** People are numbers. `given` lists for each step the people whose approval counts. */
export type Model = {
  roles: (Role | undefined)[]
  status: Status
  requester: number
  selfApproval: boolean
  /** The steps copied into the request. */
  steps: Step[]
  inForce: Step[]
  given: number[][]
  /** The last command of each person: a repeat is an idempotent replay. */
  done: { by: number; command: Command }[]
}

/** A policy: its steps, and whether the requester may approve. */
export type Rule = { readonly steps: readonly Step[]; readonly selfApproval: boolean }

export const requestUnder = (
  { steps, selfApproval }: Rule,
  roles: Readonly<Model['roles']>,
  requester: number,
): Model => ({
  roles: [...roles],
  status: 'pending',
  requester,
  selfApproval,
  steps: [...steps],
  inForce: [...steps],
  given: steps.map(() => []),
  done: [],
})

const named = (m: Model, steps: readonly Step[], who: number): boolean => steps.some((step) => isNamed(m, step, who))
const isNamed = ({ roles }: Model, step: Step, who: number): boolean => {
  const role = roles[who]
  return step.people.includes(who) || (role !== undefined && step.roles.includes(role))
}
const openStep = ({ steps, given }: Model): number =>
  steps.findIndex((step, index) => (given[index] ?? []).length < step.required)
const gave = ({ given }: Model, who: number): boolean => given.some((people) => people.includes(who))

/** Tries every way in which the present people, each once, could complete the request. */
export function reachable(m: Model): boolean {
  const places = m.steps.flatMap((step, index) =>
    Array.from({ length: Math.max(0, step.required - (m.given[index] ?? []).length) }, () => index),
  )
  const fill = (place: number, used: number[]): boolean => {
    const index = places[place]
    if (index === undefined) return true
    return m.roles.some(
      (role, who) =>
        role !== undefined &&
        !used.includes(who) &&
        !gave(m, who) &&
        (m.selfApproval || who !== m.requester) &&
        isNamed(m, m.steps[index] as Step, who) &&
        fill(place + 1, [...used, who]),
    )
  }
  return fill(0, [])
}

export function expected(m: Model, command: Command, who: number): Outcome {
  const role = m.roles[who]
  if (!role) return 'not_found'
  const mayReview = role !== 'member' || named(m, m.inForce, who) || (m.status === 'pending' && named(m, m.steps, who))
  if (command !== 'cancel' && !mayReview) return 'forbidden'
  if (role === 'member' && m.requester !== who && !named(m, m.steps, who)) return 'not_found'
  const before = m.done.some((deed) => deed.by === who && deed.command === command)
  if (command === 'approve') {
    if (['pending', 'approved'].includes(m.status) && gave(m, who)) return 'repeated'
  } else if (before) return 'repeated'
  if (m.status !== 'pending') return 'approval_already_processed'
  if (command === 'cancel') {
    if (who === m.requester) return 'done'
    return role !== 'member' && (!m.roles[m.requester] || !reachable(m)) ? 'done' : 'forbidden'
  }
  if (command === 'reject') return named(m, m.steps, who) ? 'done' : 'not_an_approver'
  const step = m.steps[openStep(m)] as Step
  if (!isNamed(m, step, who) || gave(m, who)) return 'not_an_approver'
  if (!m.selfApproval && who === m.requester) return 'requester_cannot_approve'
  const after = { ...m, given: m.given.map((people, index) => (index === openStep(m) ? [...people, who] : people)) }
  return reachable(m) && !reachable(after) ? 'no_eligible_approver' : 'done'
}

export function apply(m: Model, command: Command, who: number): void {
  m.done.push({ by: who, command })
  if (command === 'reject') m.status = 'rejected'
  else if (command === 'cancel') m.status = 'cancelled'
  else {
    m.given[openStep(m)]?.push(who)
    if (openStep(m) < 0) m.status = 'approved'
  }
}

/** Changes or removes a person's role; approvals that they could not give now become void. */
export function moved(m: Model, who: number, role: Role | undefined): void {
  m.roles[who] = role
  if (m.status !== 'pending') return
  m.given = m.given.map((people, index) =>
    people.filter((one) => one !== who || (role !== undefined && isNamed(m, m.steps[index] as Step, who))),
  )
}
