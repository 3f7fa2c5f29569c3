/** The files of a release: clients, chart, document, bill of materials, what changed, and the checksums of all. */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { buildPythonClient } from '../clients/python.ts'
import { sectionOf } from './checks.ts'

/** Programs that build an image by a Dockerfile, in the order in which they are tried. */
const BUILDERS: readonly (readonly [program: string, ...build: string[]])[] = [
  ['docker', 'build'],
  ['podman', 'build'],
  ['buildah', 'build'],
]

/** Finds a program that builds images and answers; undefined if there is none. */
const findBuilder = () =>
  BUILDERS.find(([program]) => spawnSync(program, ['info'], { stdio: 'ignore', timeout: 30_000 }).status === 0)

const run = (program: string, args: readonly string[], cwd = '.'): string =>
  execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })

/** Packs the clients of npm into the folder; the command line builds what it needs of the other. */
function packClients(out: string): void {
  for (const name of ['cli', 'typescript'])
    run('npm', ['pack', '--silent', '--pack-destination', resolve(out)], join('clients', name))
}

/** Builds the image and says its name; throws if nothing here builds one, unless that is accepted. */
function buildImage(version: string, mayLack: boolean): string {
  const builder = findBuilder()
  if (!builder) {
    if (mayLack) return 'no image: nothing here builds one'
    const names = BUILDERS.map(([program]) => program).join(', ')
    throw new Error(`no image can be built here (${names}): --without-image leaves it to another machine`)
  }
  const [program, ...build] = builder
  const name = `business-finance-service:${version}`
  run(program, [...build, '--build-arg', `BUILD_ID=${version}`, '--tag', name, '.'])
  return `image ${name}`
}

/** Writes SHA256SUMS over all other files of the folder, as `sha256sum --check` reads it. */
export function writeChecksums(folder: string): void {
  const names = readdirSync(folder).filter((name) => name !== 'SHA256SUMS')
  const lines = names.toSorted().map(
    (name) =>
      `${createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex')}  ${name}\n`,
  )
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''))
}

/** Makes all files of a release in an empty folder. Returns what it made of the image. */
export async function makeArtefacts(version: string, out: string, { withoutImage = false } = {}): Promise<string> {
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  const image = buildImage(version, withoutImage)
  run('npm', ['run', '--silent', 'build'])
  copyFileSync('dist/sbom.json', join(out, `business-finance-service-${version}.sbom.json`))
  copyFileSync('openapi.json', join(out, 'openapi.json'))
  packClients(out)
  await buildPythonClient(out)
  const chart = join(out, `business-finance-${version}.chart.tgz`)
  run('git', ['archive', '--format=tar.gz', '--prefix=business-finance/', '--output', chart, 'HEAD:ops/helm'])
  writeFileSync(join(out, 'CHANGES.md'), sectionOf(readFileSync('CHANGELOG.md', 'utf8'), version) ?? '')
  writeChecksums(out)
  return image
}
