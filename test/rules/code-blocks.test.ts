/** Commands in README, CONTRIBUTING and docs/: valid for a shell, and with existing names. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { blocksOf } from '../support/pages/code-blocks.ts'
import { apiCallsOf } from '../support/pages/shell-calls.ts'
import { FILES } from './files.ts'

const BLOCKS = FILES.filter((file) => file.endsWith('.md')).flatMap((page) => blocksOf(page))
const TUTORIALS = BLOCKS.filter(({ page }) => page === 'README.md' || page.startsWith('docs/guides/'))
  .map(({ text }) => text)
  .join('\n')

test.each(BLOCKS)('bash reads $page:$line, and it runs files that exist', ({ text }) => {
  // readers fill in the words in angle brackets
  const read = spawnSync('bash', ['-n'], { input: text.replaceAll(/<[a-z ]+>/g, 'word'), encoding: 'utf8' })
  expect(read).toMatchObject({ status: 0, stderr: '' })
  const runs = text.matchAll(/(?:npx tsx|vitest run|node)(?: --[\w-]+)* ([\w./-]+\/[\w./-]+)/g)
  const run = [...runs].map(([, file = '']) => file)
  expect(run.filter((file) => !existsSync(file) && !file.startsWith('dist/'))).toEqual([])
})

test('README and guides call operations that exist, by their methods', () => {
  // JSON.parse answers `any`; openapi.json is an OpenAPI document
  const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as { paths: Record<string, object> }
  const operations = Object.entries(paths).map(([path, methods]) => ({ shape: shapeOf(path), methods }))
  const calls = apiCallsOf(TUTORIALS)
  expect(calls.length).toBeGreaterThan(90)
  const unknown = calls.filter(
    ({ method, path }) =>
      !operations.some(({ shape, methods }) => shape.test(`/api/v1${path}`) && method.toLowerCase() in methods),
  )
  expect(unknown).toEqual([])
})

/** A pattern for a path; they put in the ids of earlier answers. */
const shapeOf = (path: string): RegExp =>
  new RegExp(
    `^${path.replaceAll(/[.]/g, String.raw`\.`).replaceAll(/\{(\w+)\}/g, (_, name: string) => (name.endsWith('_id') ? String.raw`\{\}` : '[^/]+'))}$`,
  )
