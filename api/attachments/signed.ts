/** Files that belong to what is approved, for those who see the approval. */
import * as v from 'valibot'
import { drawInTurn } from '../../documents/bills/request-pages.ts'
import { AttachmentFile, type SignedAttachment } from '../../domain/attachments/attachment.ts'
import { pageNumber } from '../../domain/bills/bill.ts'
import { refuse } from '../../domain/errors.ts'
import { FileParams } from '../../domain/files/file.ts'
import type { FileId } from '../../domain/ids.ts'
import { loadAttachment, withLink } from '../../services/attachments/attachments.ts'
import { attachmentsOf } from '../../services/decisions/details.ts'
import { type OnApproval, readApproval } from '../approvals/approvals.ts'
import { bytes, operations } from '../http/operation.ts'

const { query } = operations('Approvals')

const ONE = '/organizations/{organization_id}/approvals/{approval_id}/attachments/{file_id}'

type OnFile = OnApproval & { readonly params: { readonly file_id: FileId } }

export const signedAttachments = [
  query(ONE, 'getApprovalAttachment')
    .says('Fetch a file of what is approved by a fresh link', 'It is good for 15 minutes.')
    .of('organization')
    .delegates('read')
    .can('organization.read')
    .named(FileParams)
    .answers(AttachmentFile)
    .does(async (context) => withLink(await findSigned(context))),
  query(`${ONE}/pages/{n}.png`, 'getApprovalAttachmentPage')
    .says('Download a page of a file of what is approved as PNG', 'XML has no pages.')
    .of('organization')
    .delegates('read')
    .can('organization.read')
    .named(v.object({ ...FileParams.entries, n: pageNumber }))
    .cached('private')
    .refuses('invalid_file')
    .answers(bytes('image/png'), ({ file_id, n }) => `attachment-${file_id}-${n}.png`)
    .does(async (context) => {
      const { read, org, person, params } = context
      if (params.n === 0) refuse('not_found')
      await findSigned(context)
      const callers = { organization: org.organizationId, person: person.userId }
      const load = async () => {
        const { bytes, type } = await loadAttachment(read, params.file_id)
        return { bytes, contentType: type }
      }
      return drawInTurn(callers, { number: params.n, load })
    }),
]

/** Finds a file that the approval of the path names, for those who see it. Refuses `not_found`. */
async function findSigned(context: OnFile): Promise<SignedAttachment> {
  const named = attachmentsOf(await readApproval(context))
  return named.find(({ file_id: id }) => id === context.params.file_id) ?? refuse('not_found')
}
