/** Parts of any answer over HTTP. */

const RETRY_AFTER_SECONDS_MAX = 3600

/** Finds the code of a network error, or of its cause. */
export function codeOf(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) {
    const code = (at as { code?: unknown }).code // any error may have one
    if (typeof code === 'string' && /^\w+$/.test(code)) return code
  }
  return 'unknown'
}

/** Reads a body, unpacked, as text; undefined above `bytesMax`. */
export async function readAtMost(body: Response['body'], bytesMax: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength
    if (bytes > bytesMax) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** Reads Retry-After as seconds from now (RFC 9110, 10.2.3): a number or a date. */
export function retryAfterSeconds(headers: Headers): number | undefined {
  const given = headers.get('retry-after')?.trim()
  if (!given) return undefined
  const seconds = /^\d{1,9}$/.test(given) ? Number(given) : Math.ceil((Date.parse(given) - Date.now()) / 1000)
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 1), RETRY_AFTER_SECONDS_MAX)
}
