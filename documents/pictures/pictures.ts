/** Pictures that people upload: recognized by their bytes, and encoded again with nothing of the file left. */
import { refuse } from '../../domain/errors.ts'
import { PICTURE_PIXELS_MAX } from '../../domain/people/picture.ts'
import { FileRefused } from '../reading/process.ts'
import { type Callers, queueOfFiles, readForRequest } from '../reading/requests.ts'

/** Pictures of this process that wait or are decoded, at up to 5 MB each. */
const inTurn = queueOfFiles({ max: 20, each: { organization: 2, person: 2 } })

const KINDS = [
  { type: 'image/png', begins: /^\x89PNG\r\n/ },
  { type: 'image/jpeg', begins: /^\xff\xd8\xff/ },
  { type: 'image/webp', begins: /^RIFF.{4}WEBP/s },
] as const

/**
 * Makes a webp of 512 × 512 in sRGB of a png, jpeg or webp: upright, its middle, its first frame, without metadata.
 * Refuses `unsupported_media_type`, and `invalid_file` with the reason; `too_complex` if decoding takes more than ten
 * seconds of processor time or the memory that a reader may have.
 */
export async function squarePicture(file: Buffer, callers: Callers): Promise<Uint8Array> {
  const begins = file.toString('latin1', 0, 12)
  if (!KINDS.some((kind) => kind.begins.test(begins))) {
    refuse('unsupported_media_type', { expected: KINDS.map(({ type }) => type) })
  }
  const decoded = await inTurn(callers, () => readForRequest('picture', file)).catch((error: unknown) => {
    if (error instanceof FileRefused) refuse('invalid_file', { reason: 'too_complex' })
    throw error
  })
  if ('image' in decoded) return decoded.image
  const { reason } = decoded
  refuse('invalid_file', { reason, ...(reason === 'too_many_pixels' && { max_pixels: PICTURE_PIXELS_MAX }) })
}
