/** Reference data from memory, against an empty route and one with as many bytes. Nothing is unpacked. */
import { Agent, request } from 'node:http'
import { reportAgainst } from './measure.ts'
import { insertPerson } from './owner.ts'

const PATHS = ['/countries/US/subdivisions?limit=50', '/countries?limit=50', '/currencies?limit=50']
const P99_AT_MOST = 2

export async function benchReference(apiUrl: string, emptyUrl: string, rounds: number): Promise<void> {
  const { token } = await insertPerson()
  const known = { authorization: `Bearer ${token}` }
  const goal = { rounds, p99: { atMost: P99_AT_MOST } }
  const empty = () => take(emptyUrl)
  for (const path of PATHS) {
    const url = `${apiUrl}/api/v1${path}`
    const packing = { ...known, 'accept-encoding': 'gzip' } // as browsers and most libraries ask
    for (const [name, headers] of [['packed', packing] as const, ['as it is', known] as const]) {
      const { etag, length } = await take(url, headers)
      const bytes = `${Math.round(length / 1000)} KB`
      await reportAgainst(`${path} ${name}, ${bytes}`, () => take(url, headers), empty, goal)
      await reportAgainst(`${bytes} of nothing`, () => take(`${emptyUrl}${length}`), empty, goal)
      if (name === 'as it is') continue
      const had = { ...headers, 'if-none-match': etag }
      await reportAgainst(`${path} 304`, () => take(url, had, 304), empty, goal)
    }
  }
}

/** Client that drops idle connections well before the server does. */
const agent = new Agent({ keepAlive: true, timeout: 2000 })

/** Reads an answer without unpacking; throws unless it has the status. */
const take = (url: string, headers: Record<string, string> = {}, status = 200) =>
  new Promise<{ etag: string; length: number }>((resolve, reject) => {
    let length = 0
    request(url, { agent, headers }, (answer) => {
      answer
        .on('data', (piece: Buffer) => (length += piece.length))
        .on('error', reject)
        .on('end', () => {
          if (answer.statusCode === status) resolve({ etag: answer.headers.etag ?? '', length })
          else reject(new Error(`${url} answered ${answer.statusCode}`))
        })
    })
      .on('error', reject)
      .end()
  })
