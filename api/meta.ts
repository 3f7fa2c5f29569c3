/** What the service says about itself. */
import * as v from 'valibot'
import { route } from './http/route.ts'
import { errorTypes } from './openapi/errors.ts'

const ErrorTypes = v.object({
  data: v.array(v.object({ type: v.string(), status: v.pipe(v.number(), v.integer()), message: v.string() })),
  has_more: v.boolean(),
  next_cursor: v.nullable(v.string()),
})

export const meta = [
  route({
    method: 'get',
    path: '/meta/errors',
    operationId: 'listErrorTypes',
    summary: 'List every error type with its status and message',
    tag: 'Reference',
    credential: 'none',
    cacheable: true,
    returns: ErrorTypes,
    handle: async () => ({ data: errorTypes, has_more: false, next_cursor: null }),
  }),
]
