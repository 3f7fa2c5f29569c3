/** Passwords: argon2id, off the event loop, one at a time, so that a storm of sign-ins leaves other requests alone. */
import { hash, verify } from '@node-rs/argon2'
import { isCommon, isObvious } from './common-passwords.ts'
import { config } from './config.ts'
import { queue } from './concurrency.ts'
import { refuse } from '../domain/errors.ts'
import { weaknessOf } from '../domain/sign-in/sign-in.ts'

// argon2id is the library's default.
const OPTIONS = { memoryCost: config.passwordHash.memoryKib, timeCost: config.passwordHash.passes, parallelism: 1 }
const QUEUE_MAX = 100 // about five seconds of work; later callers are asked to try again

/** Hash that unknown accounts are compared with, to take as long as known ones. */
const decoy = hash('nobody knows this one', OPTIONS)

const inTurn = queue(QUEUE_MAX, 5)

// The same characters typed on another keyboard are the same password (RFC 8265).
const normal = (password: string): string => password.normalize('NFC')

/** Finds the reason to refuse a new password, or null; `address` is its owner's, in lower case. */
export function passwordWeakness(password: string, address: string): string | null {
  const plain = normal(password).trim()
  return weaknessOf(password, address) ?? (isCommon(plain) || isObvious(plain, address) ? 'common' : null)
}

/** Hashes a password to store it; refuses `weak_password`. `address` is its owner's, in lower case. */
export async function hashPassword(password: string, address: string): Promise<string> {
  const reason = passwordWeakness(password, address)
  if (reason) refuse('weak_password', { reason })
  return inTurn(() => hash(normal(password), OPTIONS))
}

/** Hash of a person who never chose a password: no password fits. */
export const NO_PASSWORD = ''

/** Compares a password with the stored hash; without a stored one, false after the same work. */
export function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  return inTurn(async () => {
    const right = await verify(stored || (await decoy), normal(password))
    return Boolean(stored) && right
  })
}
