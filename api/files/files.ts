/** Files by the links that we signed: whoever has one needs no other credential. */
import { Uploaded, FileParams, SignedQuery } from '../../domain/files/file.ts'
import * as v from 'valibot'
import { verifyUpload } from '../../db/files/links.ts'
import { fetchFile, upload } from '../../db/files/uploads.ts'
import { refuse } from '../../domain/errors.ts'
import { Download } from '../http/http.ts'
import { route } from '../http/route.ts'

const shared = {
  path: '/files/{file_id}',
  root: true,
  tag: 'Files',
  credential: 'none',
  params: FileParams,
  query: SignedQuery,
} as const

export const files = [
  route({
    ...shared,
    method: 'put',
    operationId: 'uploadFile',
    summary: 'Send a file to its slot: `upload_url`, with exactly the headers that the slot names',
    raw: 'stream',
    refuses: [403, 410, 415],
    returns: Uploaded,
    handle: async ({ params, query, sent: { pieces, headers } }) => {
      const expected = verifyUpload(params.file_id, query)
      const { byteSize, contentType } = expected
      if (headers.get('content-type') !== contentType || headers.has('content-encoding'))
        refuse('unsupported_media_type', { expected: contentType })
      const declared = headers.get('content-length')
      if (declared !== null && Number(declared) !== byteSize) refuse('upload_size_mismatch', { byte_size: byteSize })
      return upload(params.file_id, expected, pieces)
    },
  }),
  route({
    ...shared,
    method: 'get',
    operationId: 'downloadFile',
    summary: 'Fetch a file by the link to it, which is good for 15 minutes',
    refuses: [403, 410],
    produces: 'application/octet-stream',
    returns: v.instance(Download),
    handle: async ({ params, query }) => new Download(await fetchFile(params.file_id, query)),
  }),
]
