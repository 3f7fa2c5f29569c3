/** Port of screening: whether a name may be one on a list of sanctions. */
import * as v from 'valibot'
import type { ScreeningId } from '../domain/ids.ts'
import type { ConnectionName } from '../domain/partner.ts'
import { type AskedQuestion, ListedMatch, MATCHES_MAX, type ScreeningAnswer } from '../domain/screening/screening.ts'
import { findConnection } from '../services/connections/connections.ts'
import { searchLists } from '../services/screening/lists.ts'
import { findListConnection } from '../services/screening/settings.ts'
import { type PartnerEndpoint, endpointOf, requestPartner } from './http.ts'
import { idOf } from './schemas.ts'

const Matches = v.pipe(v.array(ListedMatch), v.maxLength(MATCHES_MAX))
const answerOf = (id: ScreeningId) =>
  v.variant('result', [
    v.object({ id: idOf(id), result: v.literal('clear'), editions: v.pipe(v.string(), v.maxLength(300)) }),
    v.object({
      id: idOf(id),
      result: v.literal('possible'),
      editions: v.pipe(v.string(), v.maxLength(300)),
      matches: v.pipe(Matches, v.minLength(1)),
    }),
  ])

/**
 * Asks about a name at its connection; null if its lists were never read. Fails as `requestPartner` does. A question
 * changes nothing there: it may be asked again.
 */
export async function askScreening(
  connection: ConnectionName,
  id: ScreeningId,
  question: AskedQuestion,
): Promise<ScreeningAnswer | null> {
  const lists = findListConnection(connection)
  if (lists) return searchLists(lists, question)
  const adapter = findConnection(connection)
  if (!adapter) throw new Error(`no connection ${connection} compares names`)
  return askAdapter(endpointOf(adapter), id, question)
}

async function askAdapter(
  endpoint: PartnerEndpoint,
  id: ScreeningId,
  question: AskedQuestion,
): Promise<ScreeningAnswer> {
  const { kind, name, of, country, born } = question
  const body = { id, kind, name, of, country, born }
  const said = await requestPartner(endpoint, { method: 'POST', path: '/v1/screenings', body, answer: answerOf(id) })
  return { editions: said.editions, matches: said.result === 'possible' ? said.matches : [] }
}
