/**
 * `npx tsx dev/code.ts [owner|admin|member]` prints the authenticator code of a person of the demo organization;
 * `npx tsx dev/code.ts --secret <base32>` that of any secret.
 */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { generate } from 'otplib'

import { rootFolder } from './settings.ts'

const [who = 'owner', given] = process.argv.slice(2)
console.log(await generate({ secret: who === '--secret' ? (given ?? '') : secretOf(who) }))

function secretOf(person: string): string {
  const file = join(resolve(rootFolder, process.env['DATA_DIR'] || '.data'), 'dev.json')
  // Written by dev.ts when everything is ready.
  const { demo } = JSON.parse(readFileSync(file, 'utf8')) as { demo: Record<string, { totp_secret?: string }> }
  const secret = demo[person]?.totp_secret
  if (!secret) throw new Error(`There is no ${person} in ${file}`)
  return secret
}
