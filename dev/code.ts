/** `npx tsx dev/code.ts [owner|admin|member]` prints the authenticator code of a person of the demo organization. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { generate } from 'otplib'

import { rootFolder } from './settings.ts'

const file = join(resolve(rootFolder, process.env['DATA_DIR'] || '.data'), 'dev.json')
// Written by dev.ts when everything is ready.
const { demo } = JSON.parse(readFileSync(file, 'utf8')) as { demo: Record<string, { totp_secret?: string }> }
const secret = demo[process.argv[2] ?? 'owner']?.totp_secret
if (!secret) throw new Error(`There is no ${process.argv[2]} in ${file}`)
console.log(await generate({ secret }))
