/** A published judge of SCIM servers (scim2-tester, for Python) finds no fault. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { runTool } from '../../dev/clients/generator.ts'
import { cacheFolder } from '../../dev/machine/cache.ts'
import { baseUrl } from '../support/api.ts'
import { company } from '../support/identity/providers.ts'
import { scimToken } from '../support/identity/scim.ts'

const MINUTE_MS = 60_000
const JUDGE = ['scim2-tester==0.5.2', 'scim2-client[httpx2]==0.13.2', 'scim2-models==0.12.3']

/** Installs the judge into the cache of the project, unless it is there; answers its Python. */
async function installJudge(): Promise<string> {
  const folder = join(cacheFolder(), 'scim2-tester-0.5.2')
  const python = join(folder, 'bin/python')
  if (existsSync(join(folder, 'bin/scim2-installed'))) return python
  await runTool('python3', ['-m', 'venv', folder], cacheFolder())
  await runTool(python, ['-m', 'pip', 'install', '--quiet', ...JUDGE], folder)
  await runTool('touch', [join(folder, 'bin/scim2-installed')], folder)
  return python
}

type Verdict = { readonly status: string; readonly title: string; readonly reason: string | null }

test(
  'scim2-tester finds no error and nothing critical',
  async () => {
    const python = await installJudge()
    const { boss, id, domain } = await company()
    const { secret } = await scimToken(boss, id)
    const args = [resolve('dev/clients/scim-judge.py'), `${baseUrl}/scim/v2`, secret, domain]
    const verdicts = JSON.parse(await runTool(python, args, cacheFolder())) as Verdict[] // as the program writes them
    expect(verdicts.length).toBeGreaterThan(30)
    const faults = verdicts.filter(({ status }) => ['ERROR', 'CRITICAL', 'DEVIATION'].includes(status))
    expect(faults).toEqual([])
  },
  5 * MINUTE_MS,
)
