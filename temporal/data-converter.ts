/** Data converter of workers and clients: payloads and failures are sealed by the codec. */
import { fileURLToPath } from 'node:url'
import type { DataConverter } from '@temporalio/common'
import { codec } from './codec.ts'

const failureConverterPath = fileURLToPath(new URL('../workflows/failure-converter.cjs', import.meta.url))

export const dataConverter: DataConverter = { payloadCodecs: [codec], failureConverterPath }
