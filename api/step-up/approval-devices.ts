/** Approval devices of the signed-in person; for the service's own apps. */
import * as v from 'valibot'
import {
  addApprovalCredential,
  findApprovalCredential,
  listApprovalCredentials,
  revokeApprovalCredential,
} from '../../db/step-up/approval-devices.ts'
import {
  ApprovalCredential,
  ApprovalCredentialParams,
  ApprovalCredentialResult,
} from '../../domain/step-up/approval-device.ts'
import { PageQuery, pageOf } from '../../domain/pagination.ts'
import { Deleted } from '../../domain/text.ts'
import { route } from '../http/route.ts'

const shared = { tag: 'Approval devices' } as const

export const approvalCredentials = [
  route({
    ...shared,
    method: 'post',
    path: '/me/approval-credential',
    operationId: 'createApprovalCredential',
    summary: 'Make the device of this session an approval device; it cools off for 24 hours',
    stepUp: { mode: 'once' },
    body: v.object({}),
    returns: ApprovalCredentialResult,
    status: 201,
    handle: ({ person, stepUpId, origin }) => addApprovalCredential(person, stepUpId, origin),
  }),
  route({
    ...shared,
    method: 'get',
    path: '/me/approval-credentials',
    operationId: 'listApprovalCredentials',
    summary: 'List your approval devices, newest first',
    query: v.object(PageQuery),
    returns: pageOf(ApprovalCredential),
    handle: ({ person, query }) => listApprovalCredentials(person.userId, query),
  }),
  route({
    ...shared,
    method: 'get',
    path: '/me/approval-credentials/{id}',
    operationId: 'getApprovalCredential',
    summary: 'Read an approval device',
    params: ApprovalCredentialParams,
    returns: ApprovalCredential,
    handle: ({ person, params }) => findApprovalCredential(person.userId, params.id),
  }),
  route({
    ...shared,
    method: 'delete',
    path: '/me/approval-credentials/{id}',
    operationId: 'deleteApprovalCredential',
    summary: 'Stop an approval device, at once and for good',
    params: ApprovalCredentialParams,
    returns: Deleted,
    handle: async ({ person, params, origin }) => {
      await revokeApprovalCredential(person, params.id, origin)
      return { deleted: true as const, id: params.id }
    },
  }),
]
