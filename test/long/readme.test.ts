/** The commands of README, of the guides and of `npm start` work. */
import { mkdirSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../dev/machine/ports.ts'
import { makeTemporaryFolder } from '../../dev/machine/temporary.ts'
import { type Block, type Run, blocksOf, runBlocks } from '../support/pages/code-blocks.ts'
import { type Start, environmentOf, processesOf, startNpm } from '../support/starts.ts'
import { until } from '../support/until.ts'

const MINUTE_MS = 60_000

const folder = makeTemporaryFolder()
const dataDir = join(folder.path, 'data of its own') // a shell would split it into three
let start: Start
let env: Record<string, string>

beforeAll(async () => {
  env = { ...environmentOf(dataDir), RECEIVER_PORT: String(await freePort()) }
  start = startNpm(['start'], env, join(folder.path, 'start.log'))
  await until(
    'it says that it is ready, or why not',
    async () => {
      if (start.npm.exitCode !== null) throw new Error(start.said())
      return start.said().includes('Ctrl-C stops everything')
    },
    3 * MINUTE_MS,
  )
}, 4 * MINUTE_MS)

afterAll(async () => {
  process.kill(-(start.npm.pid ?? 0), 'SIGINT') // as Ctrl-C does
  await until('nothing of it is left', async () => processesOf(dataDir).length === 0, MINUTE_MS)
  folder.remove()
}, 2 * MINUTE_MS)

const named = ({ page, line }: Block) => `${page}:${line}`

const wrong = (runs: readonly Run[]) =>
  runs
    .map(({ block, code, output, errors, failed }) => ({
      block: named(block),
      code,
      // curl ends the endless stream, as the page says
      failed: failed.filter((command) => !command.includes('--max-time')),
      refused: output.match(/.{0,200}"error":.{0,400}/g) ?? [],
      missing: output.match(/.{0,80}\bundefined\b.{0,80}/g) ?? [],
      errors,
    }))
    .filter(({ code, failed, refused, missing }) => code || failed.length > 0 || refused.length + missing.length > 0)

/** Runs blocks, none of which may leave a process behind. */
async function runOf(name: string, blocks: readonly Block[]): Promise<Run[]> {
  const own = join(folder.path, name)
  mkdirSync(own)
  const { runs, left } = await runBlocks(blocks, { folder: own, env })
  expect(left).toEqual([])
  return runs
}

test('other users look neither into its folder nor into what Temporal keeps there', () => {
  const rightsOf = (path: string) => (statSync(path).mode & 0o777).toString(8)
  expect(rightsOf(dataDir)).toBe(process.getuid?.() === 0 ? '711' : '700') // root's Postgres needs to pass through
  const files = readdirSync(dataDir, { withFileTypes: true }).filter((one) => one.isFile())
  const names = files.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['temporal.db', 'dev.json', 'passwords.json', 'workflow-code']))
  expect(names.filter((name) => rightsOf(join(dataDir, name)) !== '600')).toEqual([])
})

test('`npm start` prints commands that sign in, whatever its folder and ports', async () => {
  const printed = start
    .said()
    .split('\n')
    .filter((line) => /^ {2}(CHALLENGE=|TOKEN=|curl )/.test(line))
  expect(printed).toHaveLength(3)
  const runs = await runOf('printed', [{ page: 'npm start', line: 1, text: `${printed.join('\n')}\n` }])
  expect(wrong(runs)).toEqual([])
  expect(JSON.parse(runs[0]?.output ?? '')).toMatchObject({ emails: [{ address: 'owner@demo.example' }] })
})

test(
  'every block of README and guides does what it says, one after the other, in one shell',
  async () => {
    const guides = [...readFileSync('README.md', 'utf8').matchAll(/\]\((docs\/guides\/[\w-]+\.md)\)/g)].map(
      ([, page = '']) => page,
    )
    const blocks = ['README.md', ...guides]
      .flatMap((page) => blocksOf(page))
      .filter(({ text }) => !text.startsWith('npm '))
    expect(blocks.length).toBeGreaterThan(15)
    const after = { page: 'here', line: 0, text: 'curl -s $ORG/webhook-endpoints -H "$auth"\n' }
    const runs = await runOf('readme', [...blocks, after])
    expect(wrong(runs)).toEqual([])
    expect(JSON.parse(runs.at(-1)?.output ?? '').data).toHaveLength(1)
    const outputOf = (words: string) => runs.find(({ block }) => block.text.includes(words))?.output ?? ''
    expect(outputOf('ledger/integrity')).toMatch(/"status":"succeeded"[^]*"ok":true/)
    expect(outputOf('results.csv').match(/,succeeded,/g)).toHaveLength(5)
    expect(outputOf('kill $!')).toMatch(/^ *\d+ \S+ +\S+$/m)
  },
  15 * MINUTE_MS,
)

test(
  '`npm run demo` ends with books that prove themselves',
  async () => {
    const demo = blocksOf('README.md').filter(({ text }) => text === 'npm run demo\n')
    const runs = await runOf('demo', demo)
    expect(runs).toHaveLength(1)
    expect(wrong(runs)).toEqual([])
    expect(runs[0]?.output).toMatch(/proves itself: \d+ entries, 0 violations/)
  },
  10 * MINUTE_MS,
)
