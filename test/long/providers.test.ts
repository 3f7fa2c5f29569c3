/**
 * Journeys of money with other partners: the same tests that run with stand-ins of our own protocol, with those that speak
 * the protocols of Increase, of a bank by files, of Fireblocks and of the European Central Bank.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'

/** Tests by the stand-ins that they run with. None of these partners checks payees. */
const JOURNEYS: readonly (readonly [partners: string, journeys: readonly string[]])[] = [
  [
    'file-bank,fireblocks',
    ['payments/payouts', 'payments/short-returns', 'payments/instant', 'deposits/deposits', 'bills/bill-payment'],
  ],
  ['increase,file-bank,fireblocks', ['payments/payments', 'batches/batch-payments']],
]

test.each(JOURNEYS)('with %s', async (partners, journeys) => {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(VITEST|TEST|NODE_ENV)/.test(name)))
  const files = journeys.map((name) => `test/shared/${name}.test.ts`)
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'service', ...files]
  const child = spawn(process.execPath, args, { env: { ...env, CI: 'true', SANDBOX_PARTNERS: partners } })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += String(chunk)))
  const [code] = await once(child, 'close')
  expect(code, said.slice(-6000)).toBe(0)
})
