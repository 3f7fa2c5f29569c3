/** The service as it is built: processes that tests start run it with plain Node, as in production. */
import { join } from 'node:path'
import { inject } from 'vitest'

/** Path of a compiled file of the service, by the name of its source. */
export const compiled = (source: string): string => join(inject('compiledService'), source.replace(/\.ts$/, '.js'))
