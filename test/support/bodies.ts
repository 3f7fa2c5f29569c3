/** Faults that a schema finds in a body, as the API lists them. */
import type { GenericSchema } from 'valibot'
import { parse } from '../../api/http/validation.ts'

type Fault = { readonly path: string; readonly code: string }

/** Lists the faults of a body. */
export function faultsOf(schema: GenericSchema, body: unknown): readonly Fault[] {
  try {
    parse(schema, body)
    return []
  } catch (error) {
    return (error as { details: { errors: Fault[] } }).details.errors // parse refuses with them
  }
}

export const pathsOf = (schema: GenericSchema, body: unknown): string[] =>
  faultsOf(schema, body).map(({ path }) => path)
