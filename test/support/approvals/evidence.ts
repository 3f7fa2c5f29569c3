/** The evidence bundle of an approval, and the script of docs/evidence.md that verifies it. */
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { compileFunction } from 'node:vm'
import { expect } from 'vitest'
import { makeTemporaryFolder } from '../../../dev/machine/temporary.ts'
import { type TestPerson, api, approvalPath } from '../api.ts'
import { until } from '../until.ts'

/** Exists as long as this module, which files of a shared service share. */
const { path: folder } = makeTemporaryFolder()

export const script = /```js\n(.*?)```/s.exec(readFileSync('docs/evidence.md', 'utf8'))?.[1] ?? ''
writeFileSync(join(folder, 'verify.cjs'), script)

type Payment = { organization_id: string; approval_request_id: string }

export const readEvidence = (by: TestPerson, payment: Payment) =>
  api('GET', `${approvalPath(payment)}/evidence`, { token: by.token })

/** Returns the bundle once its events are chained. */
export const bundleOf = (by: TestPerson, payment: Payment): Promise<any> =>
  until(
    'a bundle of events that are chained',
    async () => {
      const { status, body } = await readEvidence(by, payment)
      expect(status).toBe(200)
      return body.chain.complete && body
    },
    60_000,
  )

let saved = 0

/** Verifies a saved bundle with the script; returns its complaints, empty if valid. */
export function verify(bundle: unknown): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, [join(folder, 'verify.cjs'), save(bundle)], (error, output, complaint) => {
      resolve(error ? complaint || 'it failed in silence' : output)
    })
  })
}

const run = compileFunction(script, ['require', 'process'])

/** The same within this process, for many calls. */
export function verifyHere(bundle: unknown): string {
  try {
    run(createRequire(import.meta.url), { argv: ['node', 'verify.cjs', save(bundle)] })
    return ''
  } catch (error) {
    return String(error)
  }
}

function save(bundle: unknown): string {
  saved += 1
  const file = join(folder, `bundle-${saved}.json`)
  writeFileSync(file, JSON.stringify(bundle))
  return file
}
