/** Changes that a body asks for: what is absent stays, null empties. */
import { canonicalJson } from './canonical.ts'

type ChangeOf<Details> = { readonly [Field in keyof Details]?: Details[Field] | undefined }

/** The details with the change, and which of them are then another than before, in the order of the alphabet. */
export function applied<Details extends object>(
  before: Details,
  change: ChangeOf<Details>,
): { readonly after: Details; readonly changed: readonly (keyof Details & string)[] } {
  const given = Object.entries(change).filter(([, value]) => value !== undefined)
  const after: Details = { ...before, ...Object.fromEntries(given) }
  // the details have no other members than their type says
  const fields = Object.keys(before) as (keyof Details & string)[]
  const changed = fields.filter((field) => canonicalJson(after[field]) !== canonicalJson(before[field])).toSorted()
  return { after, changed }
}
