/** What operations share that name a thing of an organization in their path. */
import * as v from 'valibot'
import { id } from '../../domain/ids.ts'
import type { Located } from '../../domain/located.ts'

type Own<Kind extends string> = Readonly<Record<`${Kind}_id`, ReturnType<typeof id<Kind>>>>

/**
 * Owner and parameters of an operation whose path has `{payment_id}`, for the kind `payment`, and after it whatever
 * else is named: `...inPath('organization', { api_key_id: id<'api_key'>() })`.
 */
export function inPath<Kind extends Located, More extends v.ObjectEntries = Own<Kind>>(kind: Kind, more?: More) {
  const param = `${kind}_id` as const
  const entries = { [param]: id<Kind>(), ...more } as Own<Kind> & More // a computed key could be any text to TypeScript
  return { owner: { kind, param }, params: v.object(entries) }
}
