/** Tells of changed source files, several at once as one. */
import { watch } from 'node:fs'
import { join } from 'node:path'

import { rootFolder } from './settings.ts'

const folders = ['db', 'activities', 'workflows', 'api']
const quietMs = 200

/** Calls `changed` with the paths (relative to the project) that changed, once it has been quiet for a moment. */
export function watchSources(changed: (paths: string[]) => Promise<void>): () => void {
  const paths = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let working = Promise.resolve()
  const note = (path: string) => {
    if (!/\.(ts|sql)$/.test(path)) return
    paths.add(path)
    clearTimeout(timer)
    timer = setTimeout(() => {
      const all = [...paths]
      paths.clear()
      working = working.then(() => changed(all))
    }, quietMs)
  }
  const inFolders = folders.map((folder) =>
    watch(join(rootFolder, folder), { recursive: true }, (_, name) => note(`${folder}/${name}`)),
  )
  const beside = watch(rootFolder, (_, name) => name === 'worker.ts' && note(name))
  return () => {
    clearTimeout(timer)
    for (const watcher of [...inFolders, beside]) watcher.close()
  }
}
