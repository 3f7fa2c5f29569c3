/** How both sides of Temporal turn values into payloads: sealed by the codec, failures included. */
import { fileURLToPath } from 'node:url'
import type { DataConverter } from '@temporalio/common'
import { codec } from './codec.ts'

const failureConverterPath = fileURLToPath(new URL('../workflows/failure-converter.cjs', import.meta.url))

export const dataConverter: DataConverter = { payloadCodecs: [codec], failureConverterPath }
