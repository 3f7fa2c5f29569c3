/** The script of docs/events.md that verifies an exported log. */
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeTemporaryFolder } from '../../dev/machine/temporary.ts'

const { path: folder } = makeTemporaryFolder()
const script = /```js\n(.*?)```/s.exec(readFileSync('docs/events.md', 'utf8'))?.[1] ?? ''
writeFileSync(join(folder, 'verify-events.cjs'), script)

let saved = 0
function save(content: unknown): string {
  saved += 1
  const file = join(folder, `${saved}.json`)
  writeFileSync(file, JSON.stringify(content))
  return file
}

/** Verifies an exported log, its heads and the keys with the script; returns its output. */
export const verifyExport = (events: unknown, heads: unknown, keys: unknown): Promise<string> =>
  new Promise((resolve) => {
    const files = [events, heads, keys].map(save)
    execFile(process.execPath, [join(folder, 'verify-events.cjs'), ...files], (error, output, complaint) =>
      resolve(error ? (/AssertionError.*?: (.*)/.exec(complaint)?.[1] ?? complaint) : output.trim()),
    )
  })
