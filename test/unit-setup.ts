/** Before a file without servers is loaded: the processes that open files start from what the run has compiled. */
import { inject } from 'vitest'

process.env['COMPILED_SERVICE'] = inject('compiledService')
