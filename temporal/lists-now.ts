/** Reading of lists of sanctions on an operator's request: after their files were replaced. */
import type { ReadLists } from '../activities/screening.ts'
import { LIST_CONNECTIONS } from '../services/screening/settings.ts'
import { listsOf, startNow } from './schedules.ts'

/** Reads the lists of all connections whose files have changed; answers a line for each connection. */
export async function readListsNow(): Promise<string> {
  const lines = await Promise.all(
    LIST_CONNECTIONS.map(async ({ name }) => {
      const handle = await startNow(listsOf(name))
      const { read, refused } = (await handle.result()) as ReadLists // the workflow's result
      return `${name}: ${read} lists were read, ${refused} cannot be read`
    }),
  )
  return lines.length === 0 ? 'no lists are read here' : lines.join('\n')
}
