/** Memory of mails that come in: one bound for all, so that no crowd of slow senders fills the process. */
import { refuse } from '../../domain/errors.ts'
import { MAIL_BYTES_MAX } from '../../domain/inbound-mails/inbound-mail.ts'

/** Bytes of all mails that are under way in this process. */
const UNDER_WAY_BYTES_MAX = 128 * 1024 * 1024
const RETRY_AFTER_SECONDS = 30
let underWay = 0

/**
 * Collects a mail. Refuses `payload_too_large`, and `service_unavailable` while others fill the memory.
 * @param drains true to read on, and to refuse at the end: an SMTP client hears no answer before
 */
export async function collect(pieces: AsyncIterable<Uint8Array>, drains: boolean): Promise<Buffer> {
  const kept: Uint8Array[] = []
  let [length, counted] = [0, 0]
  let fault: (() => never) | undefined
  try {
    for await (const piece of pieces) {
      length += piece.byteLength
      fault ??= faultOf(length, piece.byteLength)
      if (fault && !drains) fault()
      if (fault) {
        underWay -= counted
        counted = 0
        kept.length = 0
        continue
      }
      kept.push(piece)
      counted += piece.byteLength
      underWay += piece.byteLength
    }
    fault?.()
    return Buffer.concat(kept)
  } finally {
    underWay -= counted
  }
}

function faultOf(length: number, more: number): (() => never) | undefined {
  if (length > MAIL_BYTES_MAX) return () => refuse('payload_too_large', { max_bytes: MAIL_BYTES_MAX })
  if (underWay + more > UNDER_WAY_BYTES_MAX)
    return () => refuse('service_unavailable', { retry_after_seconds: RETRY_AFTER_SECONDS })
  return undefined
}
