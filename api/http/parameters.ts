/** Parameters of paths, each with one schema in all paths, and the known ones of queries. */
import * as v from 'valibot'
import { closestTo } from '../../domain/closest.ts'
import { refuse } from '../../domain/errors.ts'
import { id } from '../../domain/ids.ts'
import type { Route } from './route.ts'

const PARAMETERS = {
  organization_id: id<'organization'>(),
  payment_id: id<'payment'>(),
  payment_contact_id: id<'payment_contact'>(),
  payment_destination_id: id<'payment_destination'>(),
  transaction_id: id<'transaction'>(),
  deposit_id: id<'deposit'>(),
  swap_id: id<'swap'>(),
  export_id: id<'export'>(),
  batch_id: id<'payment_batch'>(),
  row_id: id<'payment_batch_row'>(),
  bill_id: id<'bill'>(),
  bill_mailbox_id: id<'bill_mailbox'>(),
  inbound_mail_id: id<'inbound_mail'>(),
  billing_contact_id: id<'billing_contact'>(),
  invoice_id: id<'invoice'>(),
  credit_note_id: id<'credit_note'>(),
  allocation_id: id<'allocation'>(),
  approval_id: id<'approval'>(),
  question_id: id<'question'>(),
  event_id: id<'event'>(),
  delegate_id: id<'delegate'>(),
  api_key_id: id<'api_key'>(),
  substitution_id: id<'substitution'>(),
  scim_token_id: id<'scim_token'>(),
  scim_group_id: id<'scim_group'>(),
  user_id: id<'user'>(),
  invitation_id: id<'invitation'>(),
  webhook_endpoint_id: id<'webhook_endpoint'>(),
  log_stream_id: id<'webhook_endpoint'>(),
  delivery_id: id<'webhook_delivery'>(),
} as const

const namesIn = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

type Names<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never

export type ParamsOf<Path extends string> = {
  readonly [Name in Names<Path> & keyof typeof PARAMETERS]: v.InferOutput<(typeof PARAMETERS)[Name]>
}

/** Builds the schema of a path's parameters, in their order; undefined if it has none. */
export function paramsOf(path: string, named: v.GenericSchema | undefined): v.GenericSchema | undefined {
  const known: Readonly<Record<string, v.GenericSchema>> = {
    ...PARAMETERS,
    ...(named as { readonly entries: v.ObjectEntries } | undefined)?.entries, // `named()` made it
  }
  const entries = namesIn(path).map((name) => {
    const schema = known[name]
    if (!schema) throw new Error(`${path}: ${name} is not named`)
    return [name, schema] as const
  })
  return entries.length === 0 ? undefined : v.object(Object.fromEntries(entries))
}

/** Lists the parameters that the query of an operation takes. */
export function queryNamesOf({ query }: Pick<Route, 'query'>): string[] {
  return Object.keys((query as { readonly entries?: v.ObjectEntries } | undefined)?.entries ?? {}) // all are objects
}

/**
 * Tells whether an operation refuses unknown parameters. Those at the root ignore them: addresses there are written or
 * lengthened by others. OAuth asks its servers to ignore (RFC 6749, 3.1 and 3.2), partners call back and redirect with
 * more than we read, and programs of mail and statistics add to links. Pages for people are no operations, and ignore
 * them for the same reason.
 */
export const knowsParameters = ({ root }: Pick<Route, 'root'>): boolean => root !== true

const UNKNOWN_MAX = 10
const NAME_CHARACTERS_MAX = 64

/** Refuses `unknown_parameter`: a filter that is misspelled would answer everything. */
export function requireKnownParameters(route: Route, url: string): void {
  const at = url.indexOf('?')
  if (at === -1 || !knowsParameters(route)) return
  const known = queryNamesOf(route)
  const given = [...new URLSearchParams(url.slice(at + 1)).keys()].map((name) => name.replace(/\[\]$/, ''))
  const unknown = [...new Set(given)].filter((name) => !known.includes(name)).slice(0, UNKNOWN_MAX)
  if (unknown.length === 0) return
  refuse('unknown_parameter', { errors: unknown.map((name) => faultOf(name, known)), known })
}

function faultOf(name: string, known: readonly string[]) {
  const path = name.slice(0, NAME_CHARACTERS_MAX)
  const closest = closestTo(path, known)
  const hint = closest === undefined ? '' : `: did you mean ${closest}?`
  return { path, code: 'unknown', message: `is no parameter of this operation${hint}`, ...(closest && { closest }) }
}
