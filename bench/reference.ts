/** Reference data from memory, against an empty route, and one that answers as many bytes without anything else. */
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
    const page = await fetch(url, { headers })
    const etag = page.headers.get('etag') ?? ''
    const { byteLength } = await page.arrayBuffer()
    const bytes = () => read(`${emptyUrl}${byteLength}`)
    await reportAgainst(`${path}, as many bytes`, bytes, empty, { rounds, p99AtMost: P99_AT_MOST })
    const known = { ...headers, 'if-none-match': etag }
    await reportAgainst(`${path} 304`, () => read(url, known, 304), empty, { rounds, p99AtMost: P99_AT_MOST })
  }
}
