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
import { operations } from '../http/operation.ts'

const { command, query } = operations('Approval devices')

export const approvalCredentials = [
  command('post', '/me/approval-credential', 'createApprovalCredential')
    .says('Make the device of this session an approval device; it cools off for 24 hours')
    .takes(v.object({}))
    .answers(ApprovalCredentialResult, 201)
    .proved('once')
    .handles(({ person, stepUpId, origin }) => addApprovalCredential(person, stepUpId, origin)),
  query('/me/approval-credentials', 'listApprovalCredentials')
    .says('List your approval devices, newest first')
    .filters(v.object(PageQuery))
    .answers(pageOf(ApprovalCredential))
    .does(({ person, query }) => listApprovalCredentials(person.userId, query)),
  query('/me/approval-credentials/{id}', 'getApprovalCredential')
    .says('Read an approval device')
    .named(ApprovalCredentialParams)
    .answers(ApprovalCredential)
    .does(({ person, params }) => findApprovalCredential(person.userId, params.id)),
  command('delete', '/me/approval-credentials/{id}', 'deleteApprovalCredential')
    .says('Stop an approval device, at once and for good')
    .named(ApprovalCredentialParams)
    .answers(Deleted)
    .handles(async ({ person, params, origin }) => {
      await revokeApprovalCredential(person, params.id, origin)
      return { deleted: true as const, id: params.id }
    }),
]
