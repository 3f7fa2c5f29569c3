/** Sessions that were just found, in memory: for answers that are the same for everybody who is signed in. */
import { now } from '../../platform/clock.ts'
import { tokenHash } from '../../platform/encryption.ts'
import { SESSION_TOUCH_SECONDS } from '../../domain/sign-in/sign-in.ts'
import { type Authenticated, authenticate } from './sessions.ts'

type Recent = { readonly found: Authenticated; readonly from: number; readonly until: number }

const RECENT_MAX = 1000 // a session more costs a statement
const recent = new Map<string, Recent>()

/**
 * Whose session a token is, as it was found at most SESSION_TOUCH_SECONDS ago: a session that has ended may be taken
 * for a live one for so long, never for longer. Undefined when the session has ended or never was, of which nothing is
 * kept.
 *
 * What is remembered ends when the next use has to be written, so that uses are written as often as without it. Keys
 * are hashes: no token stays in memory.
 */
export async function authenticateRecently(token: string): Promise<Authenticated | undefined> {
  const key = tokenHash(token).toString('latin1')
  const asked = now().getTime()
  const known = recent.get(key)
  if (known && known.from <= asked && asked < known.until) return known.found // a clock may be set back
  recent.delete(key)
  const found = await authenticate(token, null)
  if (found) remember(key, found, asked)
  return found
}

function remember(key: string, found: Authenticated, asked: number): void {
  const idleSeconds = Math.max(0, found.idleSeconds)
  const seconds = SESSION_TOUCH_SECONDS - (idleSeconds < SESSION_TOUCH_SECONDS ? idleSeconds : 0) // else written now
  const oldest = recent.keys().next()
  if (recent.size >= RECENT_MAX && !oldest.done) recent.delete(oldest.value)
  recent.set(key, { found: { ...found, idleSeconds: 0 }, from: asked, until: asked + seconds * 1000 })
}
