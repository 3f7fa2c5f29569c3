/** Common passwords (the head of the list names its sources), and those derived from them. */
import { readFileSync } from 'node:fs'

const lines = readFileSync(new URL('../domain/data/common-passwords.txt', import.meta.url), 'utf8').split('\n')
const common: ReadonlySet<string> = new Set(lines.filter((line) => line !== '' && !line.startsWith('#!')))

/** Words of this service, which add nothing to a password of it (ASVS 6.1.2); docs/security.md names them. */
export const OWN_WORDS = 'business finance financial service payment bank account money sandbox'.split(' ')
const LETTERS_LEFT_MIN = 4

/** Tells if a password is a common one in any case: as it is, with digits and signs around or in it, or repeated. */
export function isCommon(password: string): boolean {
  const whole = password.toLowerCase()
  const core = whole.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  const parts = [core, lettersOf(whole)].filter((text) => text.length >= LETTERS_LEFT_MIN)
  return [whole, ...parts].some((text) => common.has(text) || common.has(repetitionIn(text)))
}

const lettersOf = (text: string): string => text.replaceAll(/[^\p{L}]/gu, '')

/** The part that a text consists of by repetition, or nothing. */
const repetitionIn = (text: string): string => /^(.{1,64}?)\1+$/su.exec(text)?.[1] ?? ''

/** Tells if a password has few letters beside words of this service and of the address. */
export function isObvious(password: string, address: string): boolean {
  const letters = lettersOf(password.toLowerCase())
  const words = [...OWN_WORDS, ...address.split(/[^\p{L}]+/u)].filter((word) => word.length >= LETTERS_LEFT_MIN)
  const left = words.sort((a, b) => b.length - a.length).reduce((rest, word) => rest.replaceAll(word, ''), letters)
  return left !== letters && left.length < LETTERS_LEFT_MIN
}
