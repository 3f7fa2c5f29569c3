/** Memory of mails that come in: a bound for each way in, so that no crowd of slow senders fills the process. */
import { refuse } from '../../domain/errors.ts'
import { MAIL_BYTES_MAX } from '../../domain/inbound-mails/inbound-mail.ts'

type Memory = { readonly bytesMax: number; readonly drains: boolean; underWay: number }
/**
 * Bytes of mails under way in this process: SMTP and providers do not share them.
 * SMTP drains: it reads on, and refuses at the end, as a client hears no answer before.
 */
export const MEMORY: Readonly<Record<'smtp' | 'providers', Memory>> = {
  smtp: { bytesMax: 128 * 1024 * 1024, drains: true, underWay: 0 },
  providers: { bytesMax: 128 * 1024 * 1024, drains: false, underWay: 0 },
}
const RETRY_AFTER_SECONDS = 30

/** Collects a mail. Refuses `payload_too_large`, and `service_unavailable` while others fill the memory. */
export async function collect(pieces: AsyncIterable<Uint8Array>, memory: Memory): Promise<Buffer> {
  const kept: Uint8Array[] = []
  let [length, counted] = [0, 0]
  let fault: (() => never) | undefined
  try {
    for await (const piece of pieces) {
      length += piece.byteLength
      fault ??= faultOf(memory, length, piece.byteLength)
      if (fault && !memory.drains) fault()
      if (fault) {
        memory.underWay -= counted
        counted = 0
        kept.length = 0
        continue
      }
      kept.push(piece)
      counted += piece.byteLength
      memory.underWay += piece.byteLength
    }
    fault?.()
    return Buffer.concat(kept)
  } finally {
    memory.underWay -= counted
  }
}

function faultOf({ underWay, bytesMax }: Memory, length: number, more: number): (() => never) | undefined {
  if (length > MAIL_BYTES_MAX) return () => refuse('payload_too_large', { max_bytes: MAIL_BYTES_MAX })
  if (underWay + more > bytesMax)
    return () => refuse('service_unavailable', { retry_after_seconds: RETRY_AFTER_SECONDS })
  return undefined
}
