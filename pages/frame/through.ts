/** Names of connections on pages of a company: where there is more to say than "the bank". */
import { type Rail, partnerOf } from '../../domain/rails.ts'
import { MONEY_CONNECTIONS } from '../../services/connections/connections.ts'

type Movement = { readonly rail: Rail; readonly connection: string | null }

/** Names the connection that moves money; null where there is one of its kind, under the name of all installations. */
export function throughOf({ rail, connection }: Movement): string | null {
  if (rail === 'svc_id' || connection === null) return null
  const isOnly = MONEY_CONNECTIONS.filter(({ kind }) => kind === rail).length < 2
  return isOnly && connection === partnerOf(rail) ? null : connection
}
