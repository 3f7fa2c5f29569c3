/**
 * The chart by judges that know it: helm's own linter, the schema of its values, and the schemas of Kubernetes over what it
 * renders. Needs Go, Python and their registries.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { cacheFolder } from '../../dev/machine/cache.ts'
import { makeTemporaryFolder } from '../../dev/machine/temporary.ts'
import { installJudge } from '../support/python-judge.ts'

const CHART = 'ops/helm'
const HELM = 'helm.sh/helm/v4/cmd/helm@v4.3.2'
const INSTALL_MS_MAX = 10 * 60_000

const helm = join(cacheFolder(), 'helm')

/** Installs helm once in the cache of the project; false where that is not possible. */
function installHelm(): boolean {
  const env = { ...process.env, GOBIN: cacheFolder(), CGO_ENABLED: '0' }
  return existsSync(helm) || spawnSync('go', ['install', HELM], { env, timeout: INSTALL_MS_MAX }).status === 0
}

const validator = installHelm() ? installJudge('kubernetes-validate==1.37.0', 'kubernetes-validate') : undefined

const folder = makeTemporaryFolder()
afterAll(() => folder.remove())

const ask = (...args: readonly string[]) => spawnSync(helm, args, { encoding: 'utf8' })
const BUILD = ['--set', 'build=1.0.0']

/** Ways to run the chart, as options of helm. */
const WAYS: Readonly<Record<string, readonly string[]>> = {
  'as it comes': [],
  'without KEDA': ['--set', 'keda=false'],
  'without ingress and policies': ['--set', 'ingress.enabled=false,network.enabled=false'],
  'with bills by mail': ['--set', 'mail.enabled=true'],
  'with a class of ingress and a build of digits': [
    '--set',
    'ingress.className=nginx',
    '--set-string',
    'build=1234567',
  ],
}

describe.skipIf(validator === undefined)('the chart', () => {
  test('has nothing that helm warns of', () => {
    const { stdout, status } = ask('lint', CHART, '--strict', ...BUILD)
    expect(stdout).toContain('0 chart(s) failed')
    expect(stdout).not.toMatch(/\[(WARNING|ERROR)\]/)
    expect(status).toBe(0)
  })

  test.each(Object.entries(WAYS))('%s renders only what Kubernetes knows', (name, options) => {
    const { stdout, stderr } = ask('template', 'business-finance', CHART, ...BUILD, ...options)
    expect(stderr).toBe('')
    const file = join(folder.path, `${name.replaceAll(' ', '-')}.yaml`)
    writeFileSync(file, stdout)
    const said = spawnSync(validator ?? '', ['--strict', '--quiet', '--no-warn', file], { encoding: 'utf8' })
    expect(said.stdout + said.stderr).toBe('') // KEDA's own kind is passed over
    expect([...stdout.matchAll(/^kind: Deployment$/gm)]).toHaveLength(4)
  })

  test.each([
    ['no build', []],
    ['a build that is no name', ['--set', 'build=One_Two']],
    ['workers that go to zero', [...BUILD, '--set', 'workers[0].name=main,workers[0].replicas.min=0']],
    ['an address that is no https', [...BUILD, '--set', 'settings.PUBLIC_URL=http://finance.example.com']],
    ['a value that is misspelled', [...BUILD, '--set', 'ingres.host=finance.example.com']],
  ])('%s is refused', (_, options) => {
    const { stderr, status } = ask('template', 'business-finance', CHART, ...options)
    expect(status).not.toBe(0)
    expect(stderr).toMatch(/values don't meet the specifications of the schema/)
  })
})
