/** Compiles the service into a folder: `npm run build`, the bench and the tests do it by this. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const inRoot = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** Files that the service reads beside its JavaScript. */
const READ = [
  'workflows/failure-converter.cjs',
  'db/migrations',
  'db/functions',
  'domain/data',
  'documents/audit-pack/verify.mjs',
  'api/openapi/examples.json',
  'api/assets', // as a folder: the release before, which is measured too, has other files there
  'docs/runbook.md',
]

/** The compiler has said what is wrong. */
class NotCompiled extends Error {}

/**
 * Leaves in the folder what a project compiles to, and what the service reads beside. Throws if a type is wrong. `root`
 * has the sources, by default these.
 */
export async function compile(
  folder: string,
  project: string,
  options: readonly string[] = [],
  root = inRoot('.'),
): Promise<void> {
  const filter = (path: string) => !path.endsWith('.ts')
  for (const name of READ) cpSync(join(root, name), join(folder, name), { recursive: true, filter })
  const args = ['-p', join(root, project), '--outDir', folder, ...options]
  const [code] = await once(spawn(inRoot('node_modules/.bin/tsc'), args, { stdio: 'inherit' }), 'exit')
  if (code !== 0) throw new NotCompiled(`${project} does not compile: mend what is listed above.`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder, project] = process.argv.slice(2)
  if (!folder || !project) throw new Error('which project is compiled into which folder?')
  rmSync(folder, { recursive: true, force: true })
  await compile(folder, project).catch((error: unknown) => {
    console.error(error instanceof NotCompiled ? error.message : error)
    process.exit(1)
  })
}
