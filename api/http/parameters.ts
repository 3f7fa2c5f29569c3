/** Parameters of paths, each with one schema in all paths. */
import * as v from 'valibot'
import { id } from '../../domain/ids.ts'

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
  billing_contact_id: id<'billing_contact'>(),
  invoice_id: id<'invoice'>(),
  credit_note_id: id<'credit_note'>(),
  allocation_id: id<'allocation'>(),
  approval_id: id<'approval'>(),
  event_id: id<'event'>(),
  delegate_id: id<'delegate'>(),
  api_key_id: id<'api_key'>(),
  substitution_id: id<'substitution'>(),
  user_id: id<'user'>(),
  invitation_id: id<'invitation'>(),
  webhook_endpoint_id: id<'webhook_endpoint'>(),
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
