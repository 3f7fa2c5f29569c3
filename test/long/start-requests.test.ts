/** The first start leaves seven requests, a link and a code; the second makes none of them again. */
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type Client, createClient } from '../../clients/typescript/src/index.ts'
import { codesOf } from '../../dev/demo/codes.ts'
import { makeTemporaryFolder } from '../../dev/machine/temporary.ts'
import type { Ready } from '../../dev/ready.ts'
import { type Start, environmentOf, processesOf, startNpm } from '../support/starts.ts'
import { readFileSync } from 'node:fs'
import { until } from '../support/until.ts'

const MINUTE_MS = 60_000
const folder = makeTemporaryFolder()
const dataDir = join(folder.path, 'data')
afterAll(() => folder.remove())

async function started(name: string): Promise<Start> {
  const start = startNpm(['start'], environmentOf(dataDir), join(folder.path, name))
  await until(
    'it is ready',
    async () => {
      if (start.npm.exitCode !== null) throw new Error(start.said())
      return start.said().includes('for your approval:')
    },
    3 * MINUTE_MS,
  )
  return start
}

async function stopped(start: Start): Promise<void> {
  process.kill(-(start.npm.pid ?? 0), 'SIGINT')
  await until('nothing of it is left', async () => processesOf(dataDir).length === 0, MINUTE_MS)
}

// written whole by `npm start`, with these members
const ready = () => JSON.parse(readFileSync(join(dataDir, 'dev.json'), 'utf8')) as Ready

/** Signs the owner in with what was printed, or with a later code. */
async function ownerBy(printed: string | undefined): Promise<Client> {
  const { api_url: baseUrl, demo } = ready()
  const { email, password, totp_secret } = demo.owner
  let token: string | undefined
  const client = createClient({ baseUrl, token: () => Promise.resolve(token) })
  const first = await client.signIn({ email, password })
  if (first.status !== 'mfa_required') throw new Error(first.status)
  const { challenge_token } = first
  const send = (code: string) => client.completeSignIn({ challenge_token, code })
  const session = printed === undefined ? await codesOf(totp_secret)(send) : await send(printed)
  if (session.status !== 'authenticated') throw new Error(session.status)
  token = session.token
  return client
}

const requestsOf = async (client: Client) => {
  const { organization_id } = ready().demo
  const { data } = await client.listApprovals({ organization_id, status: 'all', limit: 100 })
  return data
}

test(
  'seven requests by others wait at the printed link for the printed code, once',
  async () => {
    const first = await started('first.log')
    const [, link] = /\n7 requests wait for your approval:\n\n {2}Open +(\S+)\n/.exec(first.said()) ?? []
    expect((await fetch(link ?? '')).status).toBe(200)
    const [, code] = / {2}Code +(\d{6}) /.exec(first.said()) ?? []
    const owner = await ownerBy(code)
    const { id: ownerId } = await owner.getMe()
    const asked = (await requestsOf(owner)).filter(({ status }) => status === 'pending')
    expect(asked.map(({ target_type }) => target_type).toSorted()).toEqual([
      'billing_invoice',
      'fiat_outgoing',
      'fiat_outgoing',
      'fiat_outgoing',
      'organization_invitation',
      'payment_batch',
      'payment_contact',
    ])
    for (const { requester } of asked) expect(requester.id).not.toBe(ownerId)
    const { organization_id } = ready().demo
    const shown = await Promise.all(asked.map(({ approval_id }) => owner.getApproval({ organization_id, approval_id })))
    const warnings = shown.flatMap((one) => one.warnings.map((warning) => String(warning)))
    expect(warnings).toEqual(expect.arrayContaining(['account_changed', 'payee_no_match']))
    // guides go on with the defaults
    expect((await owner.getApprovalPolicy({ organization_id })).rules).toEqual([])

    // decided by a code, as a person does
    const approver = owner.withStepUp(async ({ id }) => {
      await codesOf(ready().demo.owner.totp_secret)((next) => owner.completeStepUp({ id, method: 'totp', code: next }))
      return undefined
    })
    const payee = asked.find(({ target_type }) => target_type === 'payment_contact')
    const { approval_id = '' } = payee ?? {}
    const decided = await approver.approveRequest({ organization_id, approval_id }, { idempotencyKey: 'once' })
    expect(decided.status).toBe('approved')
    const { length: made } = await requestsOf(owner)
    expect(made).toBeGreaterThan(asked.length)
    await stopped(first)

    const second = await started('second.log')
    expect(second.said()).toContain('\n6 requests wait for your approval:\n')
    expect((await requestsOf(await ownerBy(undefined))).length).toBe(made)
    await stopped(second)
  },
  10 * MINUTE_MS,
)
