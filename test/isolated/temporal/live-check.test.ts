/** `admin live check` beside a service that runs: what is there is ok, and nothing is changed. */
import { expect, test } from 'vitest'
import { administer } from '../../../admin.ts'
import { config } from '../../../platform/config.ts'
import { runChecks } from '../../../temporal/live-check/check.ts'
import { callbackCheck } from '../../../temporal/live-check/parties.ts'
import { baseUrl } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'

usePartners()
useWorker({ whole: true })

type Line = { readonly check: string; readonly status: string; readonly detail: string }

async function check(): Promise<readonly Line[]> {
  // a mail server is missing here, so that the report is an error of the command
  const text = await administer(['live', 'check', '--json']).catch((error: Error) => error.message)
  return JSON.parse(text).checks
}

test('database, Temporal, workers and schedules are found; stand-ins are asked, and are no partners', async () => {
  const found = await until('all that runs', async () => {
    const lines = await check()
    const isThere = (name: string) => lines.some(({ check: of, status }) => of === name && status === 'ok')
    return ['workers', 'schedules'].every(isThere) ? lines : undefined
  })
  const of = (name: string) => found.filter(({ check: one }) => one === name)
  expect(of('database')[0]).toMatchObject({ status: 'ok', detail: expect.stringMatching(/^Postgres 18/) })
  expect(of('migrations')).toMatchObject([{ status: 'ok' }])
  expect(of('temporal')).toMatchObject([{ status: 'ok' }])
  expect(of('search attributes')).toMatchObject([{ status: 'ok' }])
  expect(of('connection bank')).toMatchObject([
    { status: 'warning', detail: expect.stringContaining('it lists payouts') },
  ])
  expect(of('connection rates')).toMatchObject([{ status: 'warning', detail: expect.stringContaining('a euro is') }])
  expect(of('connection messenger')).toMatchObject([
    { status: 'warning', detail: expect.stringContaining('host answers') },
  ])
  expect(of('mail server')).toMatchObject([{ status: 'missing' }])
})

test('files that are not applied are counted', async () => {
  await owner`update migrations set checksum = 'other' where name = 'functions/payments.sql'`
  try {
    const found = (await check()).find(({ check: name }) => name === 'migrations')
    expect(found).toMatchObject({ status: 'missing', detail: expect.stringContaining('functions/payments.sql') })
  } finally {
    await owner`delete from migrations where name = 'functions/payments.sql'`
  }
})

test('our address answers a partner that does not sign; another answer is not ours', async () => {
  const heard = async (address: string) =>
    (await runChecks([callbackCheck({ name: 'bank' }, address)], 5000)).map(({ status, detail }) => [status, detail])
  expect(await heard(baseUrl)).toEqual([
    ['ok', 'PUBLIC_URL leads to us'],
    ['warning', expect.stringContaining('none has come yet')],
  ])
  expect((await heard(`${config.sandboxPartnersUrl}/x`))[0]).toEqual(['missing', expect.stringMatching(/not 401$/)])
})
