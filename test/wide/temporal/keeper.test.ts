/** The dev Temporal is started again when it gives no answer, and has its runs. */
import { join } from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { afterAll, expect, test } from 'vitest'
import { freePort } from '../../../dev/machine/ports.ts'
import { type Mark, sendSignal, stillRuns } from '../../../dev/machine/processes.ts'
import { makeTemporaryFolder } from '../../../dev/machine/temporary.ts'
import { keepTemporal } from '../../../dev/temporal/keeper.ts'
import { until } from '../../support/until.ts'

const folder = makeTemporaryFolder()
afterAll(() => folder.remove())

test('a server that answers nothing, or was killed, is started again with its runs', async () => {
  const marks: Mark[] = []
  const said: string[] = []
  const options = {
    port: await freePort(),
    namespace: 'default',
    logFile: join(folder.path, 'temporal.log'),
    databaseFile: join(folder.path, 'temporal.db'),
    say: (line: string) => void said.push(line),
    started: (mark: Mark) => {
      marks.push(mark)
      folder.holds(mark)
    },
  }
  const temporal = await keepTemporal(options, { pauseMs: 50, answerMs: 2_000, faultsMax: 2 })
  const { address } = temporal
  const finds = async () => {
    const connection = await Connection.connect({ address })
    try {
      return await new Client({ connection }).workflow.getHandle('kept').describe()
    } finally {
      await connection.close()
    }
  }
  const connection = await Connection.connect({ address })
  await new Client({ connection }).workflow.start('nobody', { workflowId: 'kept', taskQueue: 'nobody' })
  await connection.close()

  temporal.pause(true)
  await until('another server', async () => marks.length === 2, 60_000)
  await until('its run', () => finds().catch(() => undefined), 60_000)
  const [first, second] = marks as [Mark, Mark]
  expect(stillRuns(first)).toBe(false)

  sendSignal(second, 'SIGKILL')
  await until('a third server', async () => marks.length === 3, 60_000)
  await until('its run', () => finds().catch(() => undefined), 60_000)
  expect(said[0]).toMatch(/^Temporal gives no answer but ".+"; starting it again\./)
  expect(said.at(-1)).toContain('"it has ended"; starting it again.')

  await temporal.stop()
  expect(marks.filter(stillRuns)).toEqual([])
  expect(temporal.runs()).toBe(false)
})
