/** Runs a program of TypeScript in this process: `node dev/run.cjs dev.ts`. Every Node of today can read this file. */
'use strict'
const { existsSync } = require('node:fs')
const path = require('node:path')
const { pathToFileURL } = require('node:url')
const { engines } = require('../package.json')

const numbersOf = (text) => /(\d+)\.(\d+)/.exec(text).slice(1).map(Number)
const [major, minor] = numbersOf(process.versions.node)
const [leastMajor, leastMinor] = numbersOf(engines.node)

/** Says why this machine cannot run it, and what to do; empty if it can. */
function faultOf() {
  if (major < leastMajor || (major === leastMajor && minor < leastMinor)) {
    return (
      `This is Node ${process.versions.node}, and Node ${leastMajor}.${leastMinor} or later is needed: ` +
      'install it from nodejs.org, then run npm ci again.'
    )
  }
  return existsSync(path.resolve(__dirname, '../node_modules/tsx'))
    ? ''
    : 'The packages are not installed: run npm ci first.'
}

async function run() {
  process.argv.splice(1, 1)
  process.argv[1] = path.resolve(process.argv[1])
  const { register } = await import('tsx/esm/api')
  register()
  await import(pathToFileURL(process.argv[1]).href)
}

const fault = faultOf()
if (fault) {
  console.error(fault)
  process.exitCode = 1
} else {
  // a fault of the program is the program's: as if node had been given it
  run().catch((error) =>
    process.nextTick(() => {
      throw error
    }),
  )
}
