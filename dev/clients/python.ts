/** The Python package: its sources, with the generated part, as a wheel. */
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { makeTemporaryFolder } from '../machine/temporary.ts'
import { generateClient, runTool } from './generator.ts'

const SOURCES = 'clients/python'
const BUILDER = 'build==1.6.1'

/** Builds the wheel into the folder `out`. Returns its path. */
export async function buildPythonClient(out: string): Promise<string> {
  const folder = makeTemporaryFolder()
  try {
    const sources = join(folder.path, 'package')
    const generated = join(folder.path, 'generated')
    cpSync(SOURCES, sources, { recursive: true })
    await generateClient('python', generated)
    const operations = join(sources, 'src/business_finance/api')
    rmSync(operations, { recursive: true, force: true })
    cpSync(join(generated, 'business_finance/api'), operations, { recursive: true })
    await runTool('python3', ['-m', 'venv', 'own'], folder.path)
    const python = join(folder.path, 'own/bin/python')
    await runTool(python, ['-m', 'pip', 'install', '--quiet', BUILDER], folder.path)
    mkdirSync(out, { recursive: true })
    await runTool(python, ['-m', 'build', '--wheel', '--outdir', resolve(out), sources], folder.path)
  } finally {
    folder.remove()
  }
  const [wheel] = readdirSync(out).filter((name) => name.endsWith('.whl'))
  if (!wheel) throw new Error(`no wheel in ${out}`)
  return join(out, wheel)
}
