/** Step-up: how a fresh proof of identity is given. What asks for one is api/http/step-up-guard.ts. */
import { Fallback, StepUp, StepUpChallengeAnswer, StepUpParams, StepUpProof } from '../../domain/step-up/step-up.ts'
import { completeStepUp, requestFallback } from '../../db/step-up/proofs.ts'
import { findStepUp } from '../../db/step-up/step-ups.ts'
import { stepUpCodes } from '../http/limits.ts'
import { route } from '../http/route.ts'

const shared = { tag: 'Step-up', params: StepUpParams } as const

export const stepUps = [
  route({
    ...shared,
    method: 'get',
    path: '/step-up/{id}',
    operationId: 'getStepUp',
    summary: 'Read where a step-up stands',
    returns: StepUp,
    handle: ({ person, params }) => findStepUp(person, params.id),
  }),
  route({
    ...shared,
    method: 'post',
    path: '/step-up/{id}/complete',
    operationId: 'completeStepUp',
    summary: 'Prove a step-up; afterwards repeat the original request unchanged',
    limits: [stepUpCodes],
    body: StepUpProof,
    returns: StepUp,
    handle: ({ person, params, body, origin }) => completeStepUp(person, params.id, body, origin),
  }),
  route({
    ...shared,
    method: 'post',
    path: '/step-up/{id}/fallback',
    operationId: 'requestStepUpFallback',
    summary: 'Ask for another method, such as a messaging code; three times in 15 minutes',
    body: Fallback,
    returns: StepUpChallengeAnswer,
    handle: async ({ person, params, body }) => ({ ...(await requestFallback(person, params.id, body.method)) }),
  }),
]
