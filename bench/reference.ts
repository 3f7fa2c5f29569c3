/** Reference data from memory, against an empty route: pages, and what a caller has already. */
import { read, reportAgainst } from './measure.ts'
import { insertPerson } from './owner.ts'

const PATHS = ['/countries/US/subdivisions', '/countries', '/currencies']
const P99_AT_MOST = 2

/** The report lines of each list; `emptyUrl` is the empty route. */
export async function benchReference(apiUrl: string, emptyUrl: string, rounds: number): Promise<void> {
  const { token } = await insertPerson()
  const headers = { authorization: `Bearer ${token}` }
  const empty = () => read(emptyUrl)
  for (const path of PATHS) {
    const url = `${apiUrl}/api/v1${path}`
    await reportAgainst(path, () => read(url, headers), empty, { rounds, p99AtMost: P99_AT_MOST })
    const etag = (await fetch(url, { headers })).headers.get('etag') ?? ''
    const known = { ...headers, 'if-none-match': etag }
    await reportAgainst(`${path} 304`, () => read(url, known, 304), empty, { rounds, p99AtMost: P99_AT_MOST })
  }
}
