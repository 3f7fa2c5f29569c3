/** Challenges that the signed-in person's approval devices answer; for the service's own apps. */
import * as v from 'valibot'
import { approveChallenge, denyChallenge, listChallenges } from '../../db/step-up/device-challenges.ts'
import { ApproveChallenge, Challenge, DenyChallenge } from '../../domain/step-up/approval-device.ts'
import { PageQuery, pageOf } from '../../domain/pagination.ts'
import { StepUp, StepUpParams } from '../../domain/step-up/step-up.ts'
import { operations } from '../http/operation.ts'

const { command, query } = operations('Approval devices')

export const challenges = [
  query('/me/challenges', 'listChallenges')
    .says('List what waits for an approval device of yours, newest first')
    .filters(v.object(PageQuery))
    .answers(pageOf(Challenge))
    .does(({ person, query }) => listChallenges(person.userId, query)),
  command('post', '/me/challenges/{id}/approve', 'approveChallenge')
    .says('Release a challenge by the number that the asking screen shows; the third wrong number denies it')
    .named(StepUpParams)
    .takes(ApproveChallenge)
    .answers(StepUp)
    .handles(({ person, params, body, origin }) => approveChallenge(person, params.id, body, origin)),
  command('post', '/me/challenges/{id}/deny', 'denyChallenge')
    .says('Deny a challenge for good')
    .named(StepUpParams)
    .takes(DenyChallenge)
    .answers(StepUp)
    .handles(({ person, params, body, origin }) => denyChallenge(person, params.id, body, origin)),
]
