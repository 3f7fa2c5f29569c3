/** `npm run dev`: restarts on changes; a syntax error leaves the earlier code running. */
import { execFile } from 'node:child_process'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import type { Service } from './services.ts'
import { rootFolder } from './settings.ts'
import { CannotStart, seconds } from './terminal.ts'

const FOLDERS = [
  'activities',
  'api',
  'db',
  'documents',
  'domain',
  'pages',
  'partners',
  'platform',
  'sandbox',
  'services',
  'temporal',
  'workflows',
]
/** Debounce: editors write a file in several steps, and people save several files. */
const settleMs = 300

export function watchSources(services: readonly Service[], say: (line: string) => void): void {
  const changed = new Set<string>()
  let underWay = false

  for (const folder of FOLDERS) {
    const watcher = watch(join(rootFolder, folder), { recursive: true, persistent: false }, (_, name) => {
      if (name && /\.(?:ts|js|css|svg)$/.test(name)) void note(`${folder}/${name}`)
    })
    watcher.on('error', (error) => say(`${folder}/ is not watched any more: ${error.message}`))
  }
  say(`\nWatching ${FOLDERS.map((folder) => `${folder}/`).join(', ')}: worker and API restart when a source changes.`)

  async function note(file: string): Promise<void> {
    changed.add(file)
    if (underWay) return
    underWay = true
    while (changed.size > 0) {
      await delay(settleMs)
      await restart()
    }
    underWay = false
  }

  async function restart(): Promise<void> {
    const begun = performance.now()
    say(`Changed: ${[...changed].join(', ')}`)
    changed.clear()
    const fault = await findSyntaxError()
    if (fault) return say(`Not restarted: the earlier code keeps running until this is mended.\n${fault}`)
    try {
      for (const service of services) await service.restart()
      say(`Restarted in ${seconds(performance.now() - begun)}.`)
    } catch (error) {
      if (!(error instanceof CannotStart)) throw error
      say(`${error.message}\nThe next change starts it again.`)
    }
  }
}

/** Finds syntax errors; empty without any. Types are left to `npm run check`. */
async function findSyntaxError(): Promise<string> {
  const compiler = join(rootFolder, 'node_modules/.bin/tsc')
  return new Promise((resolve) => {
    execFile(compiler, ['-p', rootFolder, '--noEmit', '--noCheck'], { cwd: rootFolder }, (error, words) => {
      resolve(error ? words.trim().split('\n').slice(0, 5).join('\n') : '')
    })
  })
}
