/** Step-up: how a fresh proof of identity is given. What asks for one is api/http/step-up-guard.ts. */
import { Fallback, StepUp, StepUpChallengeAnswer, StepUpParams, StepUpProof } from '../../domain/step-up/step-up.ts'
import { completeStepUp, requestFallback } from '../../db/step-up/proofs.ts'
import { findStepUp } from '../../db/step-up/step-ups.ts'
import { stepUpCodes } from '../http/limits.ts'
import { operations } from '../http/operation.ts'

const { command, query } = operations('Step-up')

export const stepUps = [
  query('/step-up/{id}', 'getStepUp')
    .says('Read where a step-up stands')
    .named(StepUpParams)
    .answers(StepUp)
    .does(({ person, params }) => findStepUp(person, params.id)),
  command('post', '/step-up/{id}/complete', 'completeStepUp')
    .says('Prove a step-up; afterwards repeat the original request unchanged')
    .named(StepUpParams)
    .takes(StepUpProof)
    .limited(stepUpCodes)
    .answers(StepUp)
    .handles(({ person, params, body, origin }) => completeStepUp(person, params.id, body, origin)),
  command('post', '/step-up/{id}/fallback', 'requestStepUpFallback')
    .says('Ask for another method, such as a messaging code; three times in 15 minutes')
    .named(StepUpParams)
    .takes(Fallback)
    .answers(StepUpChallengeAnswer)
    .handles(async ({ person, params, body }) => ({ ...(await requestFallback(person, params.id, body.method)) })),
]
