/** Texts for operators about screening. */
import type { ScreeningId } from '../../domain/ids.ts'
import { minuteOf } from '../../domain/instants.ts'
import { LIST_NAMES } from '../../domain/screening/lists.ts'
import { isListCode } from '../../domain/screening/screening.ts'
import { type OperatedScreening, listPossible, showScreening } from '../screening/decisions.ts'
import { listStandings } from '../screening/lists.ts'
import { LIST_CONNECTIONS, listsOf } from '../screening/settings.ts'
import { joinLines } from './operator-texts.ts'

const LISTED_MAX = 1000

/** Lists the possible matches that wait for operators, without names. */
export const describePossible = async (filter = ''): Promise<string> =>
  joinLines((await listPossible(LISTED_MAX)).map(describeScreening), 'nothing waits for operators', filter)

/** Describes a screening in a line that names nobody. */
export function describeScreening(one: OperatedScreening): string {
  const subject = one.onboarding_id
    ? `onboarding ${one.onboarding_id}`
    : `payment contact ${one.payment_contact_id ?? '?'}`
  const score = one.score === null ? '' : `, ${one.score} of 100`
  const proposed = one.proposal ? `; ${one.proposer} proposes to ${one.proposal}: ${one.proposal_reason}` : ''
  const decided = one.decider ? `; decided by ${one.decider}: ${one.decision_reason}` : ''
  const note = one.ask_note ? `; the connection ${one.ask_note}` : ''
  return (
    `${minuteOf(one.inserted_at)} screening ${one.id} of ${one.kind} is ${one.status}: ${subject} of organization ` +
    `${one.organization_id}, asked at ${one.connection}${score}${proposed}${decided}${note}`
  )
}

/** Shows a screening with the name that was asked, and each listed name that may be meant. */
export async function describeWhole(id: ScreeningId): Promise<string> {
  const { question, matches, ...one } = await showScreening(id)
  const { name, of, country, born } = question
  const asked = [`asked: ${name}`, of, country && `country ${country}`, born && `born ${born}`].filter(Boolean)
  const found = matches.map(({ list, reference, name: listed, score, why }) => {
    const said = isListCode(list) ? LIST_NAMES[list] : list
    return `${listed}, number ${reference} of the ${said}: ${why ?? `${score} of 100.`}`
  })
  return [describeScreening(one), asked.join(', '), `lists: ${one.editions ?? 'none yet'}`, ...found].join('\n')
}

/** Lists the lists that are read here, with their age. */
export async function describeLists(): Promise<string> {
  const lines = await Promise.all(
    LIST_CONNECTIONS.map(async (connection) => {
      const standings = await listStandings(connection.name)
      return listsOf(connection).map(([list, path]) => {
        const one = standings.find((standing) => standing.list === list)
        const read = one?.read_at
          ? `${one.subjects} subjects, published ${one.published_on ?? 'on an unknown day'}, ${one.days ?? '?'} days old, read ${minuteOf(one.read_at)}`
          : 'was never read'
        return `${connection.name} ${list} from ${path}: ${read}${one?.fault ? `; its latest file cannot be read: ${one.fault}` : ''}`
      })
    }),
  )
  return joinLines(lines.flat(), 'no lists are read here', '')
}
