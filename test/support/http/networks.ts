/** Callers in their own networks, behind a trusted proxy (TRUSTED_PROXY_HOPS=1). */
import { randomInt } from 'node:crypto'
import { type Answer, type Call, baseUrl } from '../api.ts'

export const anyAddress = (): string => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`

export type Caller = (path: string, body: object, call?: Call) => Promise<Answer>

export const from =
  (address: string, root = baseUrl): Caller =>
  async (path, body, call = {}) => {
    const response = await fetch(`${root}/api/v1${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': `203.0.113.1, ${address}`, // the first entry is the caller's own claim
        ...(call.token && { authorization: `Bearer ${call.token}` }),
      },
      body: JSON.stringify(body),
    })
    return { status: response.status, body: await response.json(), headers: response.headers }
  }

/** Sends the same request `times` times concurrently, and counts the statuses. */
export async function statuses(
  count: number,
  ask: (index: number) => Promise<Answer>,
): Promise<Record<number, number>> {
  const answers = await Promise.all(Array.from({ length: count }, (_, index) => ask(index)))
  const found: Record<number, number> = {}
  for (const { status } of answers) found[status] = (found[status] ?? 0) + 1
  return found
}
