/** API client of the demo for a running `npm start`: signed in, prints each step. */
import { setTimeout as delay } from 'node:timers/promises'
import { generate } from 'otplib'
import { readReady } from '../ready.ts'
import { dataFolder } from '../settings.ts'

const STEP_SECONDS = 30 // of an authenticator code (RFC 6238)
const LOOK_MS = 100
export const dataDir = dataFolder(process.env)

export const ready = readReady()
const { demo } = ready
export const organization = `/organizations/${demo.organization_id}`
let token: string | undefined
let device: string | undefined
let lastStep = 0

/** Prints where the Temporal UI shows a run, if there is a UI. */
export function sayRun(what: string, workflowId: string): void {
  if (ready.temporal_ui_url) say(what, `${ready.temporal_ui_url}/namespaces/default/workflows/${workflowId}`)
}

export async function signIn(): Promise<void> {
  say('Signing in', demo.owner.email)
  const { email, password } = demo.owner
  const first = await call('POST', '/auth/sign-in', { email, password, ...(device && { device_id: device }) })
  say('  the password is right; the service answers', first.status)
  const session = await withCode((code) => call('POST', '/auth/mfa', { challenge_token: first.challenge_token, code }))
  token = session.token
  device = session.device_id
  say('  the authenticator code is right; signed in as', session.user.name)
}

/** Retries with the next code. A code works once; the steps before and after count too, so three fit in a row. */
export async function withCode(send: (code: string) => Promise<any>): Promise<any> {
  for (;;) {
    const now = Math.floor(Date.now() / 1000 / STEP_SECONDS)
    const step = Math.max(lastStep + 1, now - 1)
    if (step > now + 1) {
      const seconds = (step - 1) * STEP_SECONDS - Math.floor(Date.now() / 1000)
      say('  each code works once;', `the next one can be used in ${seconds} s`)
      await delay(seconds * 1000)
      continue
    }
    lastStep = step
    const answer = await send(await generate({ secret: demo.owner.totp_secret, epoch: step * STEP_SECONDS }))
    if (answer.status !== 'mfa_failed' && answer.status !== 'failed') return answer
  }
}

/** Sends a request of the owner. An unexpected answer ends the demo with its message. */
export async function call(method: string, path: string, body?: object, expected: number[] = []): Promise<any> {
  const response = await fetch(`${ready.api_url}/api/v1${path}`, {
    method,
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  }).catch(() => undefined)
  if (response === undefined) {
    console.error(`\nThe API does not answer at ${ready.api_url}: is \`npm start\` still running?`)
    return process.exit(1)
  }
  const answer: any = await response.json()
  if (response.ok || expected.includes(response.status)) return answer
  console.error(
    `\n${method} ${path} was answered with ${response.status} ${answer.error?.type}: ${answer.error?.message}`,
  )
  process.exit(1)
}

export async function bytesOf(path: string): Promise<Buffer> {
  const response = await fetch(`${ready.api_url}/api/v1${path}`, { headers: { authorization: `Bearer ${token}` } })
  if (!response.ok) throw new Error(`GET ${path} was answered with ${response.status}`)
  return Buffer.from(await response.arrayBuffer())
}

export async function sendTo(path: string, filename: string, contentType: string, file: Buffer): Promise<string> {
  const slot = await call('POST', `${path}/upload`, { filename, byte_size: file.length, content_type: contentType })
  await fetch(slot.upload_url, { method: slot.method, headers: slot.headers, body: new Uint8Array(file) })
  return slot.id
}

/** Sends a request; allows its step-up as the owner's phone would, and repeats it. */
export async function callConfirmed(method: string, path: string, body?: object): Promise<any> {
  const asked = await call(method, path, body, [403])
  if (!asked.error) return asked // proved within the last minutes
  await call('POST', `/sandbox/step-up/${asked.error.step_up.id}/decide`, { decision: 'allow' })
  say('  the step-up', 'is allowed as a phone of the owner would')
  return call(method, path, body)
}

export async function approve(approvalRequestId: string): Promise<void> {
  await callConfirmed('POST', `${organization}/approvals/${approvalRequestId}/approve`, {})
}

export async function follow(path: string, isDone: (now: any) => boolean): Promise<any> {
  for (;;) {
    const now = await call('GET', path)
    if (isDone(now)) return now
    await delay(LOOK_MS)
  }
}

export function say(what: string, detail: string): void {
  console.log(`${what} ${detail}`)
}
