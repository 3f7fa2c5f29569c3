import * as v from 'valibot'
import type { Flow } from './flow.ts'

/** Occasion of an event, and the shape of its payload. */
export type Statement<Payload extends v.GenericSchema = v.GenericSchema, Kind extends EventKind = EventKind> = {
  readonly kind: Kind
  /** One sentence: when the event is written. */
  readonly description: string
  /** Null if type and subject say it all. */
  readonly payload: Payload
}
type EventKind = 'domain' | 'evidence'

/** Type of an event. record() and transition() write nothing else. */
export type EventType<
  Payload extends v.GenericSchema = v.GenericSchema,
  Kind extends EventKind = EventKind,
> = Statement<Payload, Kind> & {
  /** `<noun>.<past tense>` */
  readonly type: string
  readonly stream: string
}

/** Declares an action, with or without payload. */
export function says(description: string): Statement<typeof nothing, 'domain'>
export function says<Payload extends v.GenericSchema>(
  description: string,
  payload: Payload,
): Statement<Payload, 'domain'>
export function says(description: string, payload: v.GenericSchema = nothing): Statement<v.GenericSchema, 'domain'> {
  return { kind: 'domain', description, payload }
}

/** Declares evidence. The event names the provider that found it; it has no payload. */
export const finds = (description: string): Statement<typeof nothing, 'evidence'> => ({
  kind: 'evidence',
  description,
  payload: nothing,
})

const nothing = v.null()

type TypeOf<Said> = Said extends Statement<infer Payload, infer Kind> ? EventType<Payload, Kind> : never
type TypesOf<Statements> = { readonly [Name in keyof Statements]: TypeOf<Statements[Name]> }

/** Declares the event types of a noun beside those of its flow, by their past tense. */
export const eventTypes = <const Statements extends Readonly<Record<string, Statement>>>(
  of: Pick<Flow, 'noun' | 'table'>,
  statements: Statements,
): TypesOf<Statements> => withTypes(of, statements, (name) => name)

/** Flow with the event type that each of its events is logged as; transition() moves rows along it. */
export type Moves<
  State extends string,
  Event extends string,
  Types extends Readonly<Record<Event, EventType>> = Readonly<Record<Event, EventType>>,
> = { readonly flow: Flow<State, Event>; readonly types: Types }

/** Declares when each event of a flow is written, and its payload. */
export const moveTypes = <
  State extends string,
  Event extends string,
  const Statements extends Readonly<Record<Event, Statement>>,
>(
  flow: Flow<State, Event>,
  statements: Statements,
): Moves<State, Event, TypesOf<Statements>> => ({
  flow,
  // the type requires a statement for each event
  types: withTypes(flow, statements, (event) => flow.events[event as Event].logs),
})

function withTypes<Statements extends Readonly<Record<string, Statement>>>(
  { noun, table }: Pick<Flow, 'noun' | 'table'>,
  statements: Statements,
  pastTense: (name: string) => string,
): TypesOf<Statements> {
  const types = Object.entries(statements).map(([name, statement]) => [
    name,
    { type: `${noun}.${pastTense(name)}`, stream: table, ...statement },
  ])
  return Object.fromEntries(types) as TypesOf<Statements> // the same names
}

type Deep<Value> = Value extends readonly (infer Item)[]
  ? readonly Deep<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: Deep<Value[Name]> }
    : Value

export type PayloadOf<Type extends EventType> = Deep<v.InferInput<Type['payload']>>
/** Payload argument: optional if the payload may be null. */
export type PayloadArguments<Payload> = null extends Payload
  ? { readonly payload?: Payload | undefined }
  : { readonly payload: Payload }
