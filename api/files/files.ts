import { FileUpload, FileParams, SignedQuery } from '../../domain/files/file.ts'
import { verifyUpload } from '../../platform/file-links.ts'
import { fetchFile, upload } from '../../services/files/uploads.ts'
import { refuse } from '../../domain/errors.ts'
import { Download } from '../http/http.ts'
import { download, operations, stream } from '../http/operation.ts'

const { query, byHand } = operations('Files')

export const files = [
  byHand('put', '/files/{file_id}', 'uploadFile')
    .says('Upload a file', 'To its `upload_url`, with exactly the headers that came with it.')
    .for('anyone')
    .named(FileParams)
    .filters(SignedQuery)
    .takes(stream)
    .refuses('upload_signature_invalid', 'upload_expired', 'upload_size_mismatch', 'file_already_uploaded')
    .atRoot()
    .answers(FileUpload)
    // by hand: the bytes go to storage before the transaction that records them
    .does(async ({ params, query, sent: { pieces, headers } }) => {
      const expected = verifyUpload(params.file_id, query)
      const { byteSize, contentType } = expected
      if (headers.get('content-type') !== contentType || headers.has('content-encoding'))
        refuse('unsupported_media_type', { expected: contentType })
      const declared = headers.get('content-length')
      if (declared !== null && Number(declared) !== byteSize) refuse('upload_size_mismatch', { byte_size: byteSize })
      return upload(params.file_id, expected, pieces)
    }),
  query('/files/{file_id}', 'downloadFile')
    .says('Fetch a file by the link to it, which is good for 15 minutes')
    .for('anyone')
    .named(FileParams)
    .filters(SignedQuery)
    .refuses('upload_signature_invalid', 'export_expired')
    .atRoot()
    .answers(download('application/octet-stream'))
    .does(async ({ params, query }) => new Download(await fetchFile(params.file_id, query))),
]
