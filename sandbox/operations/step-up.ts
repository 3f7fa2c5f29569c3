/** The sandbox in the place of a person's device: allows or denies a step-up. */
import { StepUp, StepUpDecision, StepUpParams } from '../../domain/step-up/step-up.ts'
import { decideStepUp } from '../../db/step-up/step-ups.ts'
import { route } from '../../api/http/route.ts'

export const sandboxStepUp = [
  route({
    method: 'post',
    path: '/sandbox/step-up/{id}/decide',
    operationId: 'decideSandboxStepUp',
    summary: 'Decide a step-up as a device of the person would',
    tag: 'Sandbox',
    credential: 'sandbox',
    params: StepUpParams,
    body: StepUpDecision,
    returns: StepUp,
    handle: ({ params, body }) => decideStepUp(params.id, body.decision),
  }),
]
