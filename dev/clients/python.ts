/** The Python package: its sources, with the generated part, as a wheel. */
import { cpSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { makeTemporaryFolder } from '../machine/temporary.ts'
import { generateClient, runTool } from './generator.ts'

const SOURCES = 'clients/python'
const BUILDER = 'build==1.6.1'

const IMPORT = /^from (\S+) import (\w+)/gm

/**
 * Makes a generated package load each of its names when a program asks for it: all 2,000 modules at once take ten seconds
 * of a processor. What it was becomes the stub that type checkers read.
 */
function loadLate(folder: string): void {
  const file = join(folder, '__init__.py')
  const places = [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, module = '', name = '']) => [name, module])
  renameSync(file, `${file}i`)
  writeFileSync(file, lateModule(JSON.stringify(Object.fromEntries(places), null, 4)))
}

const lateModule = (
  modules: string,
): string => `"""Operations and models of the service, each loaded when it is asked for."""
from importlib import import_module

_MODULES = ${modules}


def __getattr__(name):
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(_MODULES[name]), name)
    globals()[name] = found
    return found


def __dir__():
    return sorted(_MODULES)
`

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
    for (const part of ['.', 'api', 'models']) loadLate(join(operations, part))
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
