/** Scripts that pages of the documentation publish, run as their readers run them. */
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeTemporaryFolder } from '../../dev/machine/temporary.ts'

export type Ran = { readonly error: Error | null; readonly output: string; readonly complaint: string }

/** Makes the script of a page; a call runs it with each JSON in a file of its own, and then with the words. */
export function publishedScript(page: string): (contents: readonly unknown[], ...words: string[]) => Promise<Ran> {
  const { path: folder } = makeTemporaryFolder()
  const script = join(folder, 'script.cjs')
  writeFileSync(script, /```js\n(.*?)```/s.exec(readFileSync(page, 'utf8'))?.[1] ?? '')
  let saved = 0
  const save = (content: unknown): string => {
    saved += 1
    const file = join(folder, `${saved}.json`)
    writeFileSync(file, JSON.stringify(content))
    return file
  }
  return (contents, ...words) =>
    new Promise((resolve) => {
      execFile(process.execPath, [script, ...contents.map(save), ...words], (error, output, complaint) =>
        resolve({ error, output, complaint }),
      )
    })
}
