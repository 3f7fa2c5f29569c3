#!/usr/bin/env node
/** Starts the command: as it was built or, in the repository, from its sources. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const built = new URL('../dist/main.js', import.meta.url)
const source = new URL('../src/main.ts', import.meta.url)
if (existsSync(source)) {
  const { register } = await import('tsx/esm/api')
  register({ tsconfig: fileURLToPath(new URL('../../../tsconfig.json', import.meta.url)) })
}
await import((existsSync(source) ? source : built).href)
