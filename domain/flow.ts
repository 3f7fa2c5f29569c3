/** Flows as data: states, events, and the workflow that drives a row. */
import type { Rail } from './rails.ts'

export type FlowEvent<State extends string> = {
  readonly from: readonly State[]
  readonly to: State
  /** Past tense of the event: its type in the log is `<noun>.<logs>`; also the wake reason. */
  readonly logs: string
}

type SummarySource = { readonly rail: Rail | null; readonly ref: object | null }

type Driver<State extends string, Driven extends State> = {
  /** States with a running workflow. All others rest. */
  readonly driven: readonly Driven[]
  /** Driven states that wait for people alone. */
  readonly asksPeople: readonly State[]
  /** Name of the workflow; its workflow id is `<workflow>-<row id>`. */
  readonly workflow: string
  readonly summary: (process: SummarySource) => string
  /** Whether a callback about a resting row needs a poll; the table counts callbacks. */
  readonly calledAtRest: boolean
}

export type Flow<State extends string = string, Event extends string = string, Driven extends State = State> = {
  readonly noun: string
  readonly table: string
  readonly states: readonly State[]
  readonly events: Readonly<Record<Event, FlowEvent<State>>>
  /** Whether the organization's log has its events: `transition()` moves such rows, `move()` others. */
  readonly logged: boolean
  /** Inner states, each with the one that the API answers instead. */
  readonly answers: Readonly<Partial<Record<State, State>>>
} & Driver<State, Driven>

type Declaration<State extends string, Event extends string> = {
  noun: string
  table: string
  logged?: boolean
  states: readonly State[]
  events: Record<Event, { from: readonly NoInfer<State>[]; to: NoInfer<State>; logs: string }>
  answers?: Readonly<Partial<Record<NoInfer<State>, NoInfer<State>>>>
}
type DeclaredDriver<State extends string, Driven extends State> = {
  driven: readonly Driven[]
  asksPeople?: readonly NoInfer<State>[]
  workflow: string
  summary: (process: SummarySource) => string
  calledAtRest?: boolean
}
type NoDriver = { [Name in keyof Driver<string, string>]?: never }

/** Declares a noun's states and events. States without an exit are final; without a workflow none is driven. */
export function flow<const State extends string, const Event extends string, const Driven extends State = never>(
  declaration: Declaration<State, Event> & (DeclaredDriver<State, Driven> | NoDriver),
): Flow<State, Event, Driven> {
  const { noun } = declaration
  const undriven = { driven: [], asksPeople: [], workflow: noun, summary: () => noun, calledAtRest: false }
  const answers: Partial<Record<State, State>> = {}
  return { logged: true, answers, ...undriven, ...declaration }
}

/** Returns the state that the API answers for a state of the row: the only way from an inner state to a public one. */
export const publicStateOf = <State extends string>({ answers }: Pick<Flow<State>, 'answers'>, state: State): State =>
  answers[state] ?? state

/** Tells whether a workflow must run in this state. */
export const isDriven = <State extends string>({ driven }: Pick<Flow<State>, 'driven'>, state: State): boolean =>
  driven.includes(state)

/** Lists the driven states that wait for no person. */
export const underWay = <State extends string>({
  driven: all,
  asksPeople,
}: Pick<Flow<State>, 'driven' | 'asksPeople'>): State[] => all.filter((state) => !asksPeople.includes(state))

export const finalStates = <State extends string>({
  states,
  events,
}: Pick<Flow<State>, 'states' | 'events'>): State[] => {
  const left = new Set(Object.values(events).flatMap(({ from }) => from))
  return states.filter((state) => !left.has(state))
}

/** Lists the events that are possible in a state; a refusal names them. */
export function eventsFrom<State extends string, Event extends string>(
  { events }: Flow<State, Event>,
  state: State,
): Event[] {
  // Object.keys of a record typed by Event gives exactly those keys
  const names = Object.keys(events) as Event[]
  return names.filter((name) => events[name].from.includes(state))
}
