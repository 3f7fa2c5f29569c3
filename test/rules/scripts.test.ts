/** Scripts hear a Ctrl-C themselves; packages install on each Node that we name. */
import { readFileSync } from 'node:fs'
import { minVersion, satisfies } from 'semver'
import { expect, test } from 'vitest'

// JSON.parse answers `any`; npm requires this shape
const { scripts, engines } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  scripts: Record<string, string>
  engines: { node: string }
}

test('no script runs through `tsx`, which kills a program that does not confirm a Ctrl-C at once', () => {
  const relayed = Object.entries(scripts).filter(([, command]) => /(^|&& )(npx )?tsx /.test(command))
  expect(relayed).toEqual([])
})

test('what a newcomer runs first asks for the version of Node in its first line', () => {
  for (const name of ['start', 'dev', 'demo', 'rehearse']) expect(scripts[name]).toMatch(/^node dev\/run\.cjs /)
})

test('every package installs on the oldest Node that we name, without a warning', () => {
  // npm's own format
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { engines?: { node?: string } }>
  }
  const oldest = minVersion(engines.node)?.version ?? ''
  const wanting = Object.entries(packages).filter(([, one]) => !satisfies(oldest, one.engines?.node ?? '*'))
  expect(wanting).toEqual([])
})
