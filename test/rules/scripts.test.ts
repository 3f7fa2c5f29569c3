/** Scripts of package.json: each runs one Node, which hears a Ctrl-C itself. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

// JSON.parse answers `any`; npm requires this shape
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }

test('no script runs through `tsx`, which kills a program that does not confirm a Ctrl-C at once', () => {
  const relayed = Object.entries(scripts).filter(([, command]) => /(^|&& )(npx )?tsx /.test(command))
  expect(relayed).toEqual([])
})

test('what a newcomer runs first asks for the version of Node in its first line', () => {
  for (const name of ['start', 'dev', 'demo', 'rehearse']) expect(scripts[name]).toMatch(/^node dev\/run\.cjs /)
})
