/** Types of events: what the log of an organization may say, when it says so, and in which shape. */
import * as v from 'valibot'
import type { Flow } from './flows/flow.ts'

/** When an event is written, and the shape of its payload. */
export type Statement<Payload extends v.GenericSchema = v.GenericSchema, Kind extends EventKind = EventKind> = {
  readonly kind: Kind
  /** One sentence: when it happens. */
  readonly description: string
  /** Null if the event says it all by its type and its subject. */
  readonly payload: Payload
}
type EventKind = 'domain' | 'evidence'

/** A type of event: what record() and transition() write, and nothing else. */
export type EventType<
  Payload extends v.GenericSchema = v.GenericSchema,
  Kind extends EventKind = EventKind,
> = Statement<Payload, Kind> & {
  /** `<noun>.<past tense>` */
  readonly type: string
  /** The table of what it is about. */
  readonly stream: string
}

/** What happens, with a payload or without. */
export function says(description: string): Statement<typeof nothing, 'domain'>
export function says<Payload extends v.GenericSchema>(
  description: string,
  payload: Payload,
): Statement<Payload, 'domain'>
export function says(description: string, payload: v.GenericSchema = nothing): Statement<v.GenericSchema, 'domain'> {
  return { kind: 'domain', description, payload }
}

/** What was found, not done: the event names the provider that found it, and has no payload. */
export const finds = (description: string): Statement<typeof nothing, 'evidence'> => ({
  kind: 'evidence',
  description,
  payload: nothing,
})

const nothing = v.null()

type Typed<Said> = Said extends Statement<infer Payload, infer Kind> ? EventType<Payload, Kind> : never
type Typing<Statements> = { readonly [Name in keyof Statements]: Typed<Statements[Name]> }

/** The types of a noun beside those of its flow, by the past tense that follows the noun. */
export const eventTypes = <const Statements extends Readonly<Record<string, Statement>>>(
  of: Pick<Flow, 'noun' | 'table'>,
  statements: Statements,
): Typing<Statements> => typed(of, statements, (name) => name)

/** A flow with the type of event that each of its events is logged as: what transition() takes rows along. */
export type Moves<
  State extends string,
  Event extends string,
  Types extends Readonly<Record<Event, EventType>> = Readonly<Record<Event, EventType>>,
> = { readonly flow: Flow<State, Event>; readonly types: Types }

/** Says of each event of a flow when it happens, and what it tells. */
export const moveTypes = <
  State extends string,
  Event extends string,
  const Statements extends Readonly<Record<Event, Statement>>,
>(
  flow: Flow<State, Event>,
  statements: Statements,
): Moves<State, Event, Typing<Statements>> => ({
  flow,
  // a statement stands for each event of the flow
  types: typed(flow, statements, (event) => flow.events[event as Event].logs),
})

function typed<Statements extends Readonly<Record<string, Statement>>>(
  { noun, table }: Pick<Flow, 'noun' | 'table'>,
  statements: Statements,
  pastTense: (name: string) => string,
): Typing<Statements> {
  const types = Object.entries(statements).map(([name, statement]) => [
    name,
    { type: `${noun}.${pastTense(name)}`, stream: table, ...statement },
  ])
  return Object.fromEntries(types) as Typing<Statements> // the same names
}

type Deep<Value> = Value extends readonly (infer Item)[]
  ? readonly Deep<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: Deep<Value[Name]> }
    : Value

/** The payload of a type of event. */
export type PayloadOf<Type extends EventType> = Deep<v.InferInput<Type['payload']>>
/** A payload where it is given: it may be left out if it may be null. */
export type Given<Payload> = null extends Payload
  ? { readonly payload?: Payload | undefined }
  : { readonly payload: Payload }
