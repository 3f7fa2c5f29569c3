/** Temporal behind TLS: what the client and the worker bring, who is refused, and a payment that goes through it. */
import { Connection } from '@temporalio/client'
import { NativeConnection } from '@temporalio/worker'
import { afterAll, expect, test, vi } from 'vitest'
import { temporalIn } from '../../../platform/temporal-access.ts'
import { type RunningWorker, startWorker } from '../../../worker.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { become, payerBy, sent } from '../../support/payments/payouts.ts'
import { AUTHORITY, CLIENT_CERTIFICATE, CLIENT_KEY, SERVER_NAME } from '../../support/temporal/certificates.ts'
import { startGuard } from '../../support/temporal/guard.ts'
import '../../support/temporal-runtime.ts'

const API_KEY = 'a-key-of-the-namespace'
const TLS = { TEMPORAL_TLS_SERVER_CA_CERT_DATA: AUTHORITY, TEMPORAL_TLS_SERVER_NAME: SERVER_NAME }
const CERTIFIED = {
  ...TLS,
  TEMPORAL_TLS_CLIENT_CERT_DATA: CLIENT_CERTIFICATE,
  TEMPORAL_TLS_CLIENT_KEY_DATA: CLIENT_KEY,
}
const KEYED = { ...TLS, TEMPORAL_API_KEY: API_KEY }

const { target, guard } = await vi.hoisted(async () => {
  const { startGuard: start } = await import('../../support/temporal/guard.ts')
  const certificates = await import('../../support/temporal/certificates.ts')
  const behind = process.env['TEMPORAL_ADDRESS'] ?? ''
  const both = await start(behind, { certificate: true, apiKey: 'a-key-of-the-namespace' })
  Object.assign(process.env, {
    TEMPORAL_ADDRESS: both.address,
    TEMPORAL_TLS_SERVER_CA_CERT_DATA: certificates.AUTHORITY,
    TEMPORAL_TLS_SERVER_NAME: certificates.SERVER_NAME,
    TEMPORAL_TLS_CLIENT_CERT_DATA: certificates.CLIENT_CERTIFICATE,
    TEMPORAL_TLS_CLIENT_KEY_DATA: certificates.CLIENT_KEY,
    TEMPORAL_API_KEY: 'a-key-of-the-namespace',
  })
  return { target: behind, guard: both }
})
usePartners()
let worker: RunningWorker | undefined
afterAll(() => worker?.stop())

/** Asks the server as the API does, and as the worker does. */
async function ask(env: Record<string, string>): Promise<string[]> {
  const access = temporalIn(env, true)
  const ways = [
    async () => {
      const connection = await Connection.connect({ ...access, connectTimeout: '2s' })
      await connection.workflowService.describeNamespace({ namespace: 'default' }).finally(() => connection.close())
    },
    async () => {
      const connection = await NativeConnection.connect(access)
      await connection.workflowService.describeNamespace({ namespace: 'default' }).finally(() => connection.close())
    },
  ]
  return Promise.all(
    ways.map((way) =>
      way().then(
        () => 'served',
        () => 'refused',
      ),
    ),
  )
}

test.each([
  [
    'TLS',
    {},
    [TLS, CERTIFIED],
    [{}, { TEMPORAL_TLS: 'true' }, { ...TLS, TEMPORAL_TLS_SERVER_NAME: 'other.example.com' }],
  ],
  ['mutual TLS', { certificate: true }, [CERTIFIED], [TLS, KEYED]],
  ['an API key', { apiKey: API_KEY }, [KEYED], [TLS, { ...KEYED, TEMPORAL_API_KEY: 'another' }]],
] as const)('a server that asks for %s serves those who bring it alone', async (_, asks, served, refused) => {
  const { address } = await startGuard(target, asks)
  const answers = (tried: readonly Record<string, string>[]) =>
    Promise.all(tried.map((env) => ask({ TEMPORAL_ADDRESS: address, ...env })))
  for (const answer of await answers(served)) expect(answer).toEqual(['served', 'served'])
  for (const answer of await answers(refused)) expect(answer).toEqual(['refused', 'refused'])
})

test('a payment settles by a server that asks for both', async () => {
  worker = await startWorker()
  const payer = await payerBy('fiat')
  await become(payer, await sent(payer), 'succeeded')
  expect(guard.passed()).toBeGreaterThan(10)
})
