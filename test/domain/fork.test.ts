import { readFileSync, readdirSync } from 'node:fs'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { forkBeside } from '../../platform/fork.ts'

/** The niceness of each thread of a process (proc(5), field 19 of stat). */
const nicenessOf = (pid: number): string[] =>
  readdirSync(`/proc/${pid}/task`).map(
    (id) => readFileSync(`/proc/${pid}/task/${id}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[16] ?? '',
  )

test.runIf(process.platform === 'linux')('a process that opens files comes last with all of its threads', async () => {
  const importer = pathToFileURL(resolve('documents/reading/process.ts')).href
  const child = forkBeside(importer, '../reading-process', { priority: 'PRIORITY_LOW' })
  try {
    child.ref()
    child.channel?.ref()
    child.send({ kind: 'bill', task: { bytes: Buffer.from('<order/>'), contentType: 'application/xml' } })
    await once(child, 'message') // its threads exist by then
    const niceness = nicenessOf(child.pid ?? 0)
    expect(niceness.length).toBeGreaterThan(4)
    expect(new Set(niceness)).toEqual(new Set(['19']))
  } finally {
    child.kill('SIGKILL')
  }
})
