/** Objecting to an operator's reset of factors. */
import * as v from 'valibot'
import { Confirmation } from '../../domain/sign-in/sign-in.ts'
import { objectToFactorReset } from '../../db/sign-in/factor-resets.ts'
import { signInsPerNetwork } from '../http/limits.ts'
import { route } from '../http/route.ts'

export const factorResets = [
  route({
    method: 'post',
    path: '/auth/factors/keep',
    operationId: 'keepFactors',
    summary: 'Stop the removal of all second factors that an operator announced, with the token of that message',
    tag: 'Authentication',
    credential: 'none',
    limits: [signInsPerNetwork],
    body: Confirmation,
    returns: v.object({ status: v.literal('factors_kept') }),
    handle: async ({ body, origin }) => {
      await objectToFactorReset(body.token, origin)
      return { status: 'factors_kept' as const }
    },
  }),
]
