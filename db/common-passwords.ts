/** The passwords that everybody tries first (see the head of the list for its sources). */
import { readFileSync } from 'node:fs'

const lines = readFileSync(new URL('./data/common-passwords.txt', import.meta.url), 'utf8').split('\n')
const common: ReadonlySet<string> = new Set(lines.filter((line) => line !== '' && !line.startsWith('#!')))

/** Whether a password is one of them, in whatever case. */
export const isCommon = (password: string): boolean => common.has(password.toLowerCase())
