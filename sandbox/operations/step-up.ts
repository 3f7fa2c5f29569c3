import { StepUp, StepUpDecision, StepUpParams } from '../../domain/step-up/step-up.ts'
import { decideStepUp } from '../../services/step-up/step-ups.ts'
import { operations } from '../../api/http/operation.ts'

const { command } = operations('Sandbox')

export const sandboxStepUp = [
  command('post', '/sandbox/step-up/{id}/decide', 'decideSandboxStepUp')
    .says('Decide a step-up as a device of the person would')
    .for('sandbox')
    .named(StepUpParams)
    .takes(StepUpDecision)
    .answers(StepUp)
    .does(({ tx, params, body }) => decideStepUp(tx, params.id, body.decision)),
]
