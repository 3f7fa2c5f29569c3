/** Challenges that the signed-in person's approval devices answer; for the service's own apps. */
import * as v from 'valibot'
import { approveChallenge, denyChallenge, listChallenges } from '../../db/step-up/device-challenges.ts'
import { ApproveChallenge, Challenge, DenyChallenge } from '../../domain/step-up/approval-device.ts'
import { PageQuery, pageOf } from '../../domain/pagination.ts'
import { StepUp, StepUpParams } from '../../domain/step-up/step-up.ts'
import { route } from '../http/route.ts'

const shared = { tag: 'Approval devices' } as const

export const challenges = [
  route({
    ...shared,
    method: 'get',
    path: '/me/challenges',
    operationId: 'listChallenges',
    summary: 'List what waits for an approval device of yours, newest first',
    query: v.object(PageQuery),
    returns: pageOf(Challenge),
    handle: ({ person, query }) => listChallenges(person.userId, query),
  }),
  route({
    ...shared,
    method: 'post',
    path: '/me/challenges/{id}/approve',
    operationId: 'approveChallenge',
    summary: 'Release a challenge by the number that the asking screen shows; the third wrong number denies it',
    params: StepUpParams,
    body: ApproveChallenge,
    returns: StepUp,
    handle: ({ person, params, body, origin }) => approveChallenge(person, params.id, body, origin),
  }),
  route({
    ...shared,
    method: 'post',
    path: '/me/challenges/{id}/deny',
    operationId: 'denyChallenge',
    summary: 'Deny a challenge for good',
    params: StepUpParams,
    body: DenyChallenge,
    returns: StepUp,
    handle: ({ person, params, body, origin }) => denyChallenge(person, params.id, body, origin),
  }),
]
