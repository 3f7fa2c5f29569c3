/**
 * Lists of Increase, oldest first. Each resource has a list of its own, newest first, whose pages move while it grows. So
 * they are read in windows of time that end with the newest entry of when that was asked: such a window gets no further
 * entry, and its pages stay where they are. Behind the last one it is asked again; without a newer entry the list ends.
 *
 * A cursor has all that it needs, so that one of last month still leads on, and nothing before it is missing.
 */
import * as v from 'valibot'
import { partnerRefusal } from '../http.ts'
import { NOT_ENABLED, Page, Time } from './words.ts'

/** Asks for a page of a resource; it fails as requestPartner() does. */
export type AskPage = (path: string) => Promise<Answer>
type Answer = v.InferOutput<typeof Page>

export type WindowPage = {
  /** Entries of each resource, by its position among those of the list. */
  readonly entries: readonly { readonly resource: number; readonly entry: unknown }[]
  readonly next: string | null
}

const PAGE = 50
/** Time before which Increase has no entry. */
const BEGINNING = '2020-01-01T00:00:00Z'
/** Windows are long where all in them is older than this: what is younger changes, and is read again and again. */
const YOUNG_DAYS = 8
const [SECOND_MS, DAY_MS] = [1000, 86_400_000]

/** Place in the reading of a list. */
type Place = {
  /** Beginning of the window. */
  readonly from: string
  /** Time of the newest entry when that was asked; null before. */
  readonly newest: string | null
  /** Positions of the resources that had entries then. */
  readonly used: readonly number[]
  /** Cursors of the resources whose pages go on in this window; empty at its beginning. */
  readonly cursors: Readonly<Record<string, string>>
}
type Window = Place & { readonly newest: string }

/** Reads the page after a cursor: one of each resource of a window. `account`: whose entries are listed. */
export async function readWindow(
  ask: AskPage,
  { paths, account }: { readonly paths: readonly string[]; readonly account: string },
  after?: string,
): Promise<WindowPage> {
  const list: List = (resource, terms) =>
    ask(`${paths[resource] ?? ''}?${new URLSearchParams({ account_id: account, ...terms }).toString()}`).catch(
      emptyIfNotEnabled,
    )
  const given = after === undefined ? { from: BEGINNING, newest: null, used: [], cursors: {} } : readPlace(after)
  const place = await findNewest(given, paths, list)
  if (!place) return { entries: [], next: null }
  const { from, cursors } = place
  const { end, isLast } = endOf(place)
  const goesOn = Object.keys(cursors).length > 0
  // the last window may have entries of the same second, of any resource
  const wanted = goesOn ? Object.keys(cursors).map(Number) : isLast ? [...paths.keys()] : place.used
  const pages = await Promise.all(
    wanted.map(async (resource) => {
      const cursor = cursors[resource]
      const window = { 'created_at.on_or_after': from, 'created_at.before': end }
      return { resource, ...(await list(resource, { limit: String(PAGE), ...window, ...(cursor && { cursor }) })) }
    }),
  )
  const entries = pages.flatMap(({ resource, data }) => data.map((entry) => ({ resource, entry })))
  const more = pages.flatMap(({ resource, next_cursor: next }) => (next === null ? [] : [[resource, next] as const]))
  const following =
    more.length > 0 ? { ...place, cursors: Object.fromEntries(more) } : { ...place, from: end, cursors: {} }
  return { entries, next: writePlace(following) }
}

type List = (resource: number, terms: Readonly<Record<string, string>>) => Promise<Answer>

const Head = v.object({ created_at: Time })

/** Finds the newest entry behind the last window; null if there is none, so that the list ends. */
async function findNewest(place: Place, paths: readonly string[], list: List): Promise<Window | null> {
  const { from, newest } = place
  if (newest !== null && Date.parse(from) <= Date.parse(newest)) return { ...place, newest }
  const heads = await Promise.all(
    [...paths.keys()].map(async (resource) => {
      const { data } = await list(resource, { limit: '1', 'created_at.on_or_after': from })
      const [head] = data
      return { resource, time: head === undefined ? undefined : v.parse(Head, head).created_at }
    }),
  )
  const found = heads.flatMap(({ resource, time }) => (time === undefined ? [] : [{ resource, time }]))
  const [last] = found.toSorted((a, b) => Date.parse(b.time) - Date.parse(a.time))
  return last ? { from, newest: last.time, used: found.map(({ resource }) => resource), cursors: {} } : null
}

/** Finds the end of a window: of its year, month or day, if that lies before the newest entry; else right behind that. */
function endOf({ from, newest }: Window): { readonly end: string; readonly isLast: boolean } {
  const [begin, last] = [new Date(from), Date.parse(newest)]
  const [year, month, day] = [begin.getUTCFullYear(), begin.getUTCMonth(), begin.getUTCDate()]
  const tomorrow = Date.UTC(year, month, day + 1)
  const isMidnight = begin.getTime() === Date.UTC(year, month, day)
  const long = [
    ...(isMidnight && month === 0 && day === 1 ? [Date.UTC(year + 1, 0, 1)] : []),
    ...(isMidnight && day === 1 ? [Date.UTC(year, month + 1, 1)] : []),
  ]
  const end = long.find((one) => one + YOUNG_DAYS * DAY_MS <= last) ?? (tomorrow <= last ? tomorrow : null)
  const behind = (Math.floor(last / SECOND_MS) + 1) * SECOND_MS
  return { end: new Date(end ?? behind).toISOString().replace('.000', ''), isLast: end === null }
}

const Written = v.pipe(
  v.string(),
  v.parseJson(),
  v.strictTuple([Time, v.nullable(Time), v.array(v.number()), v.record(v.string(), v.string())]),
)

const writePlace = ({ from, newest, used, cursors }: Place): string => JSON.stringify([from, newest, used, cursors])

function readPlace(after: string): Place {
  const [from, newest, used, cursors] = v.parse(Written, after)
  return { from, newest, used, cursors }
}

/** Counts a resource that the account does not have as empty: not each account has all networks. */
function emptyIfNotEnabled(failure: unknown): Answer {
  if (partnerRefusal(failure)?.code === NOT_ENABLED) return { data: [], next_cursor: null }
  throw failure
}
