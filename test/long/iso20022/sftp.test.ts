/** The whole service and a bank that is reached through a real `sshd`: payments go out, are acknowledged, and settle. */
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { api } from '../../support/api.ts'
import { namesIn, visit } from '../../support/bank-files/bank.ts'
import { findings } from '../../support/bank-files/files.ts'
import { payUploaded } from '../../support/bank-files/playing.ts'
import { violations } from '../../support/batches/batches.ts'
import { owner } from '../../support/database.ts'
import { payerBy, read, sent } from '../../support/payments/payouts.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'

const { sshd, obstacle } = await vi.hoisted(async () => {
  const path = await import('node:path')
  const { freePort } = await import('../../../dev/machine/ports.ts')
  const { connectFileBank, folder: folderOf } = await import('../../support/bank-files/connecting.ts')
  const { Sshd, sshdObstacle } = await import('./sshd.ts')
  const missing = sshdObstacle()
  if (missing) {
    connectFileBank()
    return { sshd: null, obstacle: missing }
  }
  const server = new Sshd(path.join(process.env['DATA_DIR'] ?? '', 'sshd'), folderOf(), await freePort())
  connectFileBank({ transport: { sftp: server.url, key: { file: server.userKey }, host_key: server.hostKey } })
  return { sshd: server, obstacle: null }
})
if (obstacle) console.warn(`the bank behind a real sshd is skipped: ${obstacle}`)

const DAY_SECONDS = 86_400
const VISIT_PAUSE_MS = 300
const PATIENCE_MS = 120_000

describe.skipIf(!sshd)('a bank behind a real sshd', () => {
  useWorker()
  const server = sshd!
  const stopping = new AbortController()
  let visiting: Promise<void> | undefined

  beforeAll(async () => {
    await server.start()
    visiting = (async () => {
      while (!stopping.signal.aborted) {
        await visit().catch(() => {}) // the bank is away at times
        payUploaded()
        await delay(VISIT_PAUSE_MS)
      }
    })()
  })
  afterAll(async () => {
    stopping.abort()
    await visiting
    await server.stop()
  })

  const succeed = async (payments: readonly { readonly id: string }[]): Promise<void> => {
    const ids = payments.map(({ id }) => id)
    const count = async () =>
      (await owner`select from payments where id = any (${ids}) and status = 'succeeded'`).length
    await until('they succeed', async () => (await count()) === ids.length, PATIENCE_MS)
  }
  const timesPaid = async (ids: readonly string[]): Promise<number[]> => {
    const rows = await owner<{ id: string; count: number }[]>`
      select payment_id as id, count(*)::int as count from bank_entry_parts where kind = 'payout' group by 1`
    return ids.map((id) => rows.find((row) => row.id === id)?.count ?? 0)
  }

  test('a payment goes out, is acknowledged, and settles', async () => {
    const payer = await payerBy('fiat')
    const payment = await sent(payer)
    await succeed([payment])
    const [file] = await owner`
      select f.status, f.name from bank_files f join bank_payments p on p.file_id = f.id where p.id = ${payment.id}`
    expect(['acknowledged', 'closed']).toContain(file?.['status'])
    expect(await timesPaid([payment.id])).toEqual([1])
    expect(server.log).toContain('Accepted publickey')
    expect(await violations(payer.payer.id)).toEqual([])
  })

  test('a server with another host key gets nothing, and the payment leaves once it is the pinned one', async () => {
    const payer = await payerBy('fiat')
    await server.stop()
    await server.start({ asAnother: true })
    const payment = await sent(payer)
    await until('it is found', async () => (await findings()).join().includes('other_host_key'), PATIENCE_MS)
    expect(server.log).not.toContain('Accepted')
    expect(namesIn('in')).toEqual([])
    expect((await read(payer, payment)).status).not.toBe('succeeded')
    await server.stop()
    await server.start()
    await succeed([payment])
    await until('the findings end', async () => !(await findings()).join().includes('impossible'), PATIENCE_MS)
    expect(await timesPaid([payment.id])).toEqual([1])
  })

  test('after a day without the bank each payment is paid once', async () => {
    const payer = await payerBy('fiat')
    await server.stop()
    const payments = [await sent(payer, '10.00'), await sent(payer, '11.00'), await sent(payer, '12.00')]
    await until(
      'they wait for a file',
      async () => {
        const rows = await owner`
        select from bank_payments where id = any (${payments.map(({ id }) => id)}) and status = 'pending'`
        return rows.length === payments.length
      },
      PATIENCE_MS,
    )
    const answer = await api('POST', '/sandbox/clock/advance', { body: { seconds: DAY_SECONDS } })
    expect(answer.status).toBe(200)
    await server.start()
    for (const payment of payments) await succeed([payment])
    expect(await timesPaid(payments.map(({ id }) => id))).toEqual([1, 1, 1])
    expect(await violations(payer.payer.id)).toEqual([])
  })
})
