/** Pictures that people upload: recognized by their bytes, decoded, and encoded again with nothing of the file left. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { queueOfMany } from '../../platform/concurrency.ts'
import { log } from '../../platform/log.ts'
import { forkBeside } from '../../platform/fork.ts'
import { refuse } from '../../domain/errors.ts'
import { PICTURE_PIXELS_MAX } from '../../domain/people/picture.ts'
import type { Decoded } from './decoder.ts'
import { dropUndrawnChunks, shortWebp } from './files.ts'

const DECODING_MS_MAX = 10_000
const IDLE_MS = 60_000
/** Pictures of this process that wait or are decoded, at up to 5 MB each, in turn by caller. */
const PLACES = { max: 20, each: { organization: 2, person: 2 } }
const RETRY_AFTER_SECONDS = 5

const KINDS = [
  { type: 'image/png', begins: /^\x89PNG\r\n/, safe: dropUndrawnChunks },
  { type: 'image/jpeg', begins: /^\xff\xd8\xff/, safe: (file: Buffer) => file },
  { type: 'image/webp', begins: /^RIFF.{4}WEBP/s, safe: shortWebp },
] as const

const inTurn = queueOfMany(PLACES, RETRY_AFTER_SECONDS)

/**
 * Makes a webp of 512 × 512 in sRGB of a png, jpeg or webp: upright, its middle, its first frame, without metadata.
 * Refuses `unsupported_media_type`, and `invalid_file` with the reason; `too_complex` if decoding takes more than ten
 * seconds or the memory that the decoder may have.
 */
export async function squarePicture(
  file: Buffer,
  callers: { readonly organization?: string; readonly person: string },
): Promise<Uint8Array> {
  const kind = KINDS.find(({ begins }) => begins.test(file.toString('latin1', 0, 12)))
  if (!kind) refuse('unsupported_media_type', { expected: KINDS.map(({ type }) => type) })
  const picture = kind.safe(file)
  const decoded = await inTurn(callers, () => decode(picture))
  if ('image' in decoded) return decoded.image
  const { reason } = decoded
  refuse('invalid_file', { reason, ...(reason === 'too_many_pixels' && { max_pixels: PICTURE_PIXELS_MAX }) })
}

/** Runs while pictures come, as it takes a moment to start. */
let decoder: ChildProcess | undefined
let idle: NodeJS.Timeout | undefined

/** Asks the decoder; `too_complex` if it was ended. Refuses `service_unavailable` if none can be started. */
async function decode(picture: Uint8Array): Promise<Decoded | { readonly reason: 'too_complex' }> {
  clearTimeout(idle)
  const child = (decoder ??= startDecoder())
  const end = () => {
    if (decoder === child) decoder = undefined
    child.kill('SIGKILL')
  }
  const late = setTimeout(end, DECODING_MS_MAX)
  const over = new AbortController()
  const next = (event: 'message' | 'exit') => once(child, event, { signal: over.signal })
  try {
    if (child.connected) child.send(picture)
    return await Promise.race([
      next('message').then(([decoded]) => decoded as Decoded), // it says nothing else
      next('exit').then(([code]) => {
        if (code !== null) throw new Error(`the decoder of pictures ended with ${String(code)}`)
        log.warn({ bytes: picture.length }, 'a picture was too complex: its decoder was ended')
        return { reason: 'too_complex' } as const
      }),
    ])
  } catch (error) {
    if (child.pid !== undefined) throw error
    log.error({ err: error }, 'no decoder of pictures could be started')
    refuse('service_unavailable', { retry_after_seconds: RETRY_AFTER_SECONDS })
  } finally {
    over.abort()
    clearTimeout(late)
    idle = setTimeout(end, IDLE_MS).unref()
  }
}

function startDecoder(): ChildProcess {
  const child = forkBeside(import.meta.url, 'decoder', { priority: 'PRIORITY_BELOW_NORMAL' }) // requests come first
  const forget = () => {
    if (decoder === child) decoder = undefined
  }
  return child.once('exit', forget).on('error', forget) // without files or processes left it never begins
}
