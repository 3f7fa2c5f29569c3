/** How long what a file starts lives: as long as the file, or, if files share a service, as long as their process. */
import { afterAll } from 'vitest'

/** Ends what belongs to the service after the file, unless the next one of this process goes on with it. */
export function atEndOfService(end: () => Promise<unknown>): void {
  if (process.env['SHARED_SERVICE'] === undefined) afterAll(end)
}
