import * as v from 'valibot'
import {
  addApprovalCredential,
  findApprovalCredential,
  isCooling,
  listApprovalCredentials,
  revokeApprovalCredential,
} from '../../services/step-up/approval-devices.ts'
import {
  approveChallenge,
  completeStepUp,
  denyChallenge,
  listChallenges,
  requestFallback,
} from '../../services/step-up/commands.ts'
import { findStepUp } from '../../services/step-up/step-ups.ts'
import { PageQuery, pageOf } from '../../domain/pagination.ts'
import {
  ApprovalCredential,
  ApprovalCredentialParams,
  ApprovalCredentialResult,
  ApproveChallenge,
  Challenge,
  DenyChallenge,
  Fallback,
  StepUp,
  StepUpChallengeAnswer,
  StepUpParams,
  StepUpProof,
} from '../../domain/step-up/step-up.ts'
import { stepUpCodes } from '../http/limits.ts'
import { operations } from '../http/operation.ts'

const { command, query } = operations('Step-up')
const devices = operations('Approval devices')

export const stepUps = [
  query('/step-up/{id}', 'getStepUp')
    .says('Read where a step-up stands')
    .named(StepUpParams)
    .answers(StepUp)
    .does(({ person, params }) => findStepUp(person, params.id)),
  command('post', '/step-up/{id}/complete', 'completeStepUp')
    .says('Complete a step-up', 'Then repeat the original request unchanged.')
    .keepsToCompany()
    .named(StepUpParams)
    .takes(StepUpProof)
    .limited(stepUpCodes)
    .answers(StepUp)
    .does(({ tx, person, params, body, origin }) => completeStepUp(tx, person, params.id, body, origin)),
  command('post', '/step-up/{id}/fallback', 'requestStepUpFallback')
    .says(
      'Request another method of a step-up',
      'Such as a messaging code; at most three times in 15 minutes. A mailed code replaces a factor only in a session that was signed in to by one, and never for a change of factors.',
    )
    .keepsToCompany()
    .named(StepUpParams)
    .takes(Fallback)
    .refuses('invalid_state', 'unprocessable_entity', 'forbidden')
    .answers(StepUpChallengeAnswer)
    .does(async ({ tx, person, params, body }) => ({ ...(await requestFallback(tx, person, params.id, body.method)) })),
  devices
    .command('post', '/me/approval-credential', 'createApprovalCredential')
    .says('Make this device an approval device', 'It can approve after 24 hours.')
    .takes(v.object({}))
    .refuses('unprocessable_entity')
    .answers(ApprovalCredentialResult, 201)
    .proved('once', undefined, { weakens: true })
    .does(({ tx, person, stepUpId, origin }) => addApprovalCredential(tx, person, stepUpId, origin)),
  devices
    .query('/me/approval-credentials', 'listApprovalCredentials')
    .says('List your approval devices, newest first')
    .filters(v.object(PageQuery))
    .answers(pageOf(ApprovalCredential))
    .does(({ person, query: page }) => listApprovalCredentials(person.userId, page)),
  devices
    .query('/me/approval-credentials/{id}', 'getApprovalCredential')
    .says('Read an approval device')
    .named(ApprovalCredentialParams)
    .answers(ApprovalCredential)
    .does(({ person, params }) => findApprovalCredential(person.userId, params.id)),
  devices
    .command('delete', '/me/approval-credentials/{id}', 'deleteApprovalCredential')
    .says('Stop an approval device, at once and for good', 'One that cools off needs no step-up.')
    .named(ApprovalCredentialParams)
    .deletes()
    .proved(
      'window',
      async ({ person, params }) => {
        const cooling = await isCooling(person.userId, params.id)
        return { target: `user:${person.userId}`, needless: cooling, found: { cooling } }
      },
      { weakens: true },
    )
    .does(({ tx, person, params, found, origin }) =>
      revokeApprovalCredential({ tx, person, origin, id: params.id, cooling: found?.cooling ?? false }),
    ),
  devices
    .query('/me/challenges', 'listChallenges')
    .says('List challenges for your approval devices, newest first')
    .filters(v.object(PageQuery))
    .answers(pageOf(Challenge))
    .does(({ person, query: page }) => listChallenges(person, page)),
  devices
    .command('post', '/me/challenges/{id}/approve', 'approveChallenge')
    .says(
      'Release a challenge by its number',
      'The number is on the screen that asks. The third wrong number denies the challenge.',
    )
    .keepsToCompany()
    .named(StepUpParams)
    .takes(ApproveChallenge)
    .refuses('invalid_state', 'forbidden')
    .answers(StepUp)
    .does(({ tx, person, params, body, origin }) => approveChallenge(tx, person, params.id, body, origin)),
  devices
    .command('post', '/me/challenges/{id}/deny', 'denyChallenge')
    .says('Deny a challenge for good')
    .keepsToCompany()
    .named(StepUpParams)
    .takes(DenyChallenge)
    .refuses('forbidden')
    .answers(StepUp)
    .does(({ tx, person, params, body, origin }) => denyChallenge(tx, person, params.id, body, origin)),
]
