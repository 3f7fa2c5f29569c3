/** Findings about screening, for operators: lists that are old or cannot be read, and questions without an answer. */
import type { Finding } from '../../domain/audit/audit.ts'
import { LIST_DAYS_MAX } from '../../domain/screening/lists.ts'
import { sql } from '../../db/postgres/sql.ts'
import { type ListStanding, listStandings } from './lists.ts'
import { LIST_CONNECTIONS, type ListConnection, listsOf } from './settings.ts'

const LISTED_MAX = 100

/** Lists what is wrong with screening now. */
export async function listScreeningFindings(): Promise<Finding[]> {
  const unanswered = await sql<{ id: string; connection: string }[]>`
    select id, connection from unanswered_screenings(${LISTED_MAX})`
  const ofLists = await Promise.all(LIST_CONNECTIONS.map(faultsOf))
  return [
    ...ofLists.flat(),
    ...unanswered.map(({ id, connection }) => ({ check: 'screening_unanswered', subject: `${connection}:${id}` })),
  ]
}

async function faultsOf(connection: ListConnection): Promise<Finding[]> {
  const standings = await listStandings(connection.name)
  return listsOf(connection).flatMap(([list]) => {
    const subject = `${connection.name}:${list}`
    return checksOf(standings.find((one) => one.list === list)).map((check) => ({ check, subject }))
  })
}

/** Lists the checks that a list does not pass. */
function checksOf(standing: ListStanding | undefined): readonly string[] {
  const unreadable = standing?.fault ? ['screening_list_unreadable'] : []
  if (!standing?.sha256) return [...unreadable, 'screening_list_missing']
  return [...unreadable, ...((standing.days ?? 0) > LIST_DAYS_MAX ? ['screening_list_old'] : [])]
}
