/** Lifetime of what a file starts: the file, or the process where files share a service. */
import { afterAll } from 'vitest'

/** Ends a part of the service after the file, unless the next file of this process shares it. */
export function atEndOfService(end: () => Promise<unknown>): void {
  if (process.env['SHARED_SERVICE'] === undefined) afterAll(end)
}
