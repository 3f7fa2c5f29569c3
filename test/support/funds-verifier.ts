/** The script of docs/proof-of-funds.md that verifies a proof. */
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeTemporaryFolder } from '../../dev/machine/temporary.ts'

const { path: folder } = makeTemporaryFolder()
const script = /```js\n(.*?)```/s.exec(readFileSync('docs/proof-of-funds.md', 'utf8'))?.[1] ?? ''
writeFileSync(join(folder, 'verify-funds.cjs'), script)

let saved = 0
function save(content: unknown): string {
  saved += 1
  const file = join(folder, `${saved}.json`)
  writeFileSync(file, JSON.stringify(content))
  return file
}

/** Verifies a proof of an organization with the script; returns its output, or what does not hold. */
export const verifyFunds = (proof: unknown, keys: unknown, organizationId: string): Promise<string> =>
  new Promise((resolve) => {
    const files = [proof, keys].map(save)
    execFile(
      process.execPath,
      [join(folder, 'verify-funds.cjs'), ...files, organizationId],
      (error, output, complaint) =>
        resolve(error ? (/AssertionError.*?: (.*)/.exec(complaint)?.[1] ?? complaint) : output.trim()),
    )
  })
