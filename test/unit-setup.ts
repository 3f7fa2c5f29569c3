/** Setup of files without servers: processes that open files start from the compiled code. */
import { inject } from 'vitest'

process.env['COMPILED_SERVICE'] = inject('compiledService')
