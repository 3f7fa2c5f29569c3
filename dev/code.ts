/** `npx tsx dev/code.ts [owner|admin|member]` or `--secret <base32>`: prints a current code. */
import { generate } from 'otplib'

import { readReady } from './ready.ts'

const [who = 'owner', given] = process.argv.slice(2)
console.log(await generate({ secret: who === '--secret' ? (given ?? '') : secretOf(who) }))

function secretOf(person: string): string {
  const { owner, admin, member } = readReady().demo
  const found = Object.entries({ owner, admin, member }).find(([role]) => role === person)
  if (found) return found[1].totp_secret
  console.error(`The demo organization has no ${person}: npx tsx dev/code.ts [owner|admin|member]`)
  return process.exit(1)
}
