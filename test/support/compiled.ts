/** The compiled service: processes of tests run it with plain Node, as in production. */
import { join } from 'node:path'
import { inject } from 'vitest'

export const compiled = (source: string): string => join(inject('compiledService'), source.replace(/\.ts$/, '.js'))
