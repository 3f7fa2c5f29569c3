/** Partial changes of a body: an absent member stays, null empties. */
import { canonicalJson } from './canonical.ts'

type ChangeOf<Details> = { readonly [Field in keyof Details]?: Details[Field] | undefined }

/** Applies a change; answers the new details and the names of the changed ones, sorted. */
export function applyChange<Details extends object>(
  before: Details,
  change: ChangeOf<Details>,
): { readonly after: Details; readonly changed: readonly (keyof Details & string)[] } {
  const given = Object.entries(change).filter(([, value]) => value !== undefined)
  const after: Details = { ...before, ...Object.fromEntries(given) }
  // the type names all members
  const fields = Object.keys(before) as (keyof Details & string)[]
  const changed = fields.filter((field) => canonicalJson(after[field]) !== canonicalJson(before[field])).toSorted()
  return { after, changed }
}
