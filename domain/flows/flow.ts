/** State machines as data: which event leads from which states to which one, and who drives each state on. */
import type { Rail } from '../rails.ts'

export type FlowEvent<State extends string> = {
  readonly from: readonly State[]
  readonly to: State
  /** Past tense for the log, if the event is written as `<noun>.<logs>`, and for who wakes a run. */
  readonly logs: string
}

/** What a summary may say of a process: no names. */
type Summarized = { readonly rail: Rail | null; readonly ref: object | null }

/** What drives a noun's rows while they are in certain states. */
type Driver<State extends string, Driven extends State> = {
  /** States in which a workflow must be running for the row. All others rest. */
  readonly driven: readonly Driven[]
  /** Those of them in which nothing happens until people have answered. */
  readonly asksPeople: readonly State[]
  /** Name of the workflow that drives the row; its workflow id is `<workflow>-<row id>`. */
  readonly workflow: string
  /** What an operator reads in the list of runs. */
  readonly summary: (process: Summarized) => string
  /** Whether a partner that calls about a row at rest has to be asked about it: its table counts the callbacks. */
  readonly calledAtRest: boolean
}

export type Flow<State extends string = string, Event extends string = string, Driven extends State = State> = {
  readonly noun: string
  readonly table: string
  readonly states: readonly State[]
  readonly events: Readonly<Record<Event, FlowEvent<State>>>
  /** Whether the log of an organization has its events: `transition()` moves such rows, `move()` others. */
  readonly logged: boolean
} & Driver<State, Driven>

type Declared<State extends string, Event extends string> = {
  noun: string
  table: string
  logged?: boolean
  states: readonly State[]
  events: Record<Event, { from: readonly NoInfer<State>[]; to: NoInfer<State>; logs: string }>
}
type DeclaredDriver<State extends string, Driven extends State> = {
  driven: readonly Driven[]
  asksPeople?: readonly NoInfer<State>[]
  workflow: string
  summary: (process: Summarized) => string
  calledAtRest?: boolean
}
type Undriven = { [Name in keyof Driver<string, string>]?: never }

/**
 * Declares a noun's states and events; states that nothing leaves are terminal. What names no workflow is never driven.
 */
export function flow<const State extends string, const Event extends string, const Driven extends State = never>(
  declaration: Declared<State, Event> & (DeclaredDriver<State, Driven> | Undriven),
): Flow<State, Event, Driven> {
  const { noun } = declaration
  const undriven = { driven: [], asksPeople: [], workflow: noun, summary: () => noun, calledAtRest: false }
  return { logged: true, ...undriven, ...declaration }
}

/** Whether a workflow must be running for a row in this state. */
export const driven = <State extends string>(machine: Pick<Flow<State>, 'driven'>, state: State): boolean =>
  machine.driven.includes(state)

/** The states in which a workflow goes on without people: nobody has to answer any more, and it has not ended. */
export const underWay = <State extends string>({
  driven: all,
  asksPeople,
}: Pick<Flow<State>, 'driven' | 'asksPeople'>): State[] => all.filter((state) => !asksPeople.includes(state))

/** The states that no event leads out of. */
export const finalStates = <State extends string>({
  states,
  events,
}: Pick<Flow<State>, 'states' | 'events'>): State[] => {
  const left = new Set(Object.values(events).flatMap(({ from }) => from))
  return states.filter((state) => !left.has(state))
}

/** The events that are possible in a state: what a refusal names as allowed. */
export function eventsFrom<State extends string, Event extends string>(
  machine: Flow<State, Event>,
  state: State,
): Event[] {
  // Object.keys of a record typed by Event gives exactly those keys.
  const names = Object.keys(machine.events) as Event[]
  return names.filter((name) => machine.events[name].from.includes(state))
}
