/** Step-up: where a route asks for a fresh proof of identity, and how it is given. */
import { Refusal } from '../../db/model/errors.ts'
import { Fallback, StepUp, StepUpChallengeAnswer, StepUpParams, StepUpProof } from '../../db/model/step-up/step-up.ts'
import { completeStepUp, fallBack } from '../../db/step-up/proofs.ts'
import { findStepUp, releaseOf } from '../../db/step-up/step-ups.ts'
import { justSignedIn } from '../../db/people/sessions.ts'
import { stepUpCodes } from '../http/limits.ts'
import { type Context, type Route, route } from '../http/route.ts'

/**
 * The id of the verified step-up that releases this request, or null where signing in just now was proof enough. Refuses
 * `step_up_required` with a challenge where there is none; once that is verified, the caller repeats the same request. The
 * deed's own transaction uses it up, never this.
 */
export async function requireStepUp(
  { method, path, stepUp, summary }: Route,
  { person, claim }: Context<unknown, unknown, unknown>,
  bound: { target: string; summary?: string },
): Promise<string | null> {
  if (!stepUp) throw new Error(`${path} asks for no step-up`)
  if (stepUp.unlessJustSignedIn && (await justSignedIn(person))) return null
  const release = await releaseOf({
    sessionId: person.sessionId,
    userId: person.userId,
    mode: stepUp.mode,
    operation: `${method.toUpperCase()} ${path}`,
    target: bound.target,
    summary: bound.summary ?? summary,
    bodyHash: claim.bodyHash,
  })
  if ('released' in release) return release.released
  throw new Refusal('step_up_required', undefined, release.challenge)
}

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
    handle: async ({ person, params, body }) => ({ ...(await fallBack(person, params.id, body.method)) }),
  }),
]
