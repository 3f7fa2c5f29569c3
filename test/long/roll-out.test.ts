/** Roll-outs in stages: a broken build is returned by itself. The rehearsal of a deployment ends with a good one. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode } from '@temporalio/worker'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { makeTemporaryFolder } from '../../dev/machine/temporary.ts'
import { type Child, rollOut, startServers, startWorkerOf } from '../support/processes.ts'

await startServers() // before anything reads the environment
const { createPayment, payerAndPayee } = await import('../support/api.ts')
const { owner } = await import('../support/database.ts')
const { allAreSeen } = await import('../support/runs/runs.ts')
const { config } = await import('../../platform/config.ts')
const { connection } = await import('../../temporal/client.ts')
const { deployment } = await import('../../temporal/deployment.ts')

const REPLACED_MS = 200_000
const STAGE = ['--pause', '5']

const folder = makeTemporaryFolder()
let good: Child
let at: Awaited<ReturnType<typeof payerAndPayee>>
beforeAll(async () => {
  good = await startWorkerOf('one')
  at = await payerAndPayee('1000.00')
})
afterAll(async () => {
  await good.stop()
  folder.remove()
})

async function bundle(name: string): Promise<string> {
  const quiet = () => {}
  const path = join(folder.path, `${name}.js`)
  const { code } = await bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL(`../support/histories/${name}-workflows.ts`, import.meta.url)),
    failureConverterPath: fileURLToPath(new URL('../../workflows/failure-converter.cjs', import.meta.url)),
    logger: { log: quiet, trace: quiet, debug: quiet, info: quiet, warn: quiet, error: quiet },
  })
  writeFileSync(path, code)
  return path
}

/** Requests one payment after the other, whose runs begin meanwhile. */
async function whilePaying<Result>(work: Promise<Result>): Promise<Result> {
  let working = true
  const over = work.finally(() => (working = false))
  while (working) await createPayment(at.boss, at.contactId, '1.00')
  return over
}

/** Reads the current build, and the build that a share of new runs goes to. */
async function routing() {
  const { workerDeploymentInfo: info } = await connection.workflowService.describeWorkerDeployment({
    namespace: config.temporalNamespace,
    deploymentName: deployment.version.deploymentName,
  })
  const { currentDeploymentVersion: current, rampingDeploymentVersion: ramping } = info?.routingConfig ?? {}
  return { current: current?.buildId, ramping: ramping?.buildId ?? null }
}

test.each([
  ['failing', 'whose tasks fail', /A task of run payment-\S+ fails with build failing\./],
  ['ending', 'whose runs fail', /Run payment-\S+ of build ending has failed\./],
])(
  'build %s, %s, gets a share of new runs and is returned: the build before stays current and takes all over',
  async (build, _, said) => {
    const broken = await startWorkerOf(build, await bundle(build))
    onTestFinished(() => broken.kill())
    const returned = await whilePaying(rollOut(build, ...STAGE))
    expect(returned.said).toMatch(said)
    expect(returned.said).toMatch(/New runs go to build one again, which stays current\.$/)
    expect(returned.code).toBe(1)
    expect(await routing()).toEqual({ current: 'one', ramping: null })
    await allAreSeen(REPLACED_MS)
  },
)

test('a deployment of a build without a worker, or while changes stay unseen, is refused', async () => {
  const unknown = await rollOut('two', ...STAGE)
  expect(unknown).toMatchObject({
    code: 1,
    said: expect.stringMatching(/No worker of build two .* Nothing was changed/),
  })
  const two = await startWorkerOf('two')
  onTestFinished(async () => void (await two.stop()))
  const payment = await createPayment(at.boss, at.contactId, '1.00')
  await allAreSeen()
  await owner`
    update processes set unseen_since = clock_timestamp() - interval '5 minutes',
      look_at = business_now() + interval '30 minutes'
    where id = ${payment.id}`
  const refused = await rollOut('two', ...STAGE)
  expect(refused.said).toMatch(/not been looked at for \d+ s: .* Nothing was changed: one is current\.$/)
  expect(refused.code).toBe(1)
  await owner`update processes set unseen_since = null, look_at = 'infinity' where id = ${payment.id}`
  expect(await routing()).toEqual({ current: 'one', ramping: null })
})
