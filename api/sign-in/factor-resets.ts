/** Objecting to an operator's reset of factors. */
import * as v from 'valibot'
import { Confirmation } from '../../domain/sign-in/sign-in.ts'
import { objectToFactorReset } from '../../db/sign-in/factor-resets.ts'
import { signInsPerNetwork } from '../http/limits.ts'
import { operations } from '../http/operation.ts'

const { command } = operations('Authentication')

export const factorResets = [
  command('post', '/auth/factors/keep', 'keepFactors')
    .says('Stop the removal of all second factors that an operator announced, with the token of that message')
    .open()
    .takes(Confirmation)
    .limited(signInsPerNetwork)
    .answers(v.object({ status: v.literal('factors_kept') }))
    .handles(async ({ body, origin }) => {
      await objectToFactorReset(body.token, origin)
      return { status: 'factors_kept' as const }
    }),
]
