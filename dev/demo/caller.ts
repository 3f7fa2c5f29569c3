/** Client of the demo for a running `npm start`: signed in, prints each step. */
import { setTimeout as delay } from 'node:timers/promises'
import { generate } from 'otplib'
import { type Client, ServiceError, createClient, prove } from '../../clients/typescript/src/index.ts'
import { readReady } from '../ready.ts'
import { dataFolder } from '../settings.ts'

const STEP_SECONDS = 30 // of an authenticator code (RFC 6238)
const LOOK_MS = 100
export const dataDir = dataFolder(process.env)

export const ready = readReady()
const { demo } = ready
export const { organization_id } = demo
let token: string | undefined
let device: string | undefined
let lastStep = 0

const sandboxToken = process.env['SANDBOX_TOKEN']
/** Token of the owner's session; empty before the sign-in. */
export const sessionToken = (): string => token ?? ''

/** Client of the owner. */
export const client: Client = createClient({
  baseUrl: ready.api_url,
  token: () => Promise.resolve(token),
  ...(sandboxToken && { headers: { 'x-sandbox-token': sandboxToken } }),
})

/** Client of the owner, whose phone allows each step-up. */
export const confirming: Client = client.withStepUp(async (challenge, sandbox) => {
  const proof = await prove.sandbox(challenge, sandbox)
  say('  the step-up', 'is allowed as a phone of the owner would')
  return proof
})

process.on('uncaughtException', (error) => {
  const isAway = error instanceof TypeError && error.message === 'fetch failed'
  console.error(isAway ? `\nThe API does not answer at ${ready.api_url}: is \`npm start\` still running?` : error)
  process.exit(1)
})

/** Prints where the Temporal UI shows a run, if there is a UI. */
export function sayRun(what: string, workflowId: string): void {
  if (ready.temporal_ui_url) say(what, `${ready.temporal_ui_url}/namespaces/default/workflows/${workflowId}`)
}

export async function signIn(): Promise<void> {
  say('Signing in', demo.owner.email)
  const { email, password } = demo.owner
  const first = await client.signIn({ email, password, ...(device && { device_id: device }) })
  say('  the password is right; the service answers', first.status)
  if (first.status !== 'mfa_required') throw new Error(`the demo cannot go on with ${first.status}`)
  const { challenge_token } = first
  const session = await withCode((code) => client.completeSignIn({ challenge_token, code }))
  if (session.status !== 'authenticated') throw new Error(`the demo cannot go on with ${session.status}`)
  token = session.token
  device = session.device_id
  say('  the authenticator code is right; signed in as', session.user.name ?? email)
}

/** Retries with the next code. A code works once; the steps before and after count too, so three fit in a row. */
export async function withCode<Answer extends { readonly status: string }>(
  send: (code: string) => Promise<Answer>,
): Promise<Answer> {
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

/** Answers the refusal of a request that must be refused. */
export async function refusalOf(request: Promise<unknown>): Promise<ServiceError> {
  const error = await request.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (error instanceof ServiceError) return error
  throw new Error('the request was not refused')
}

export async function approve(approval_id: string | null): Promise<void> {
  if (approval_id === null) return
  await confirming.approveRequest({ organization_id, approval_id }, newKey())
}

/** Makes the key that a request needs which moves money. */
export const newKey = () => ({ idempotencyKey: crypto.randomUUID() })

export async function follow<Thing>(read: () => Promise<Thing>, isDone: (now: Thing) => boolean): Promise<Thing> {
  for (;;) {
    const now = await read()
    if (isDone(now)) return now
    await delay(LOOK_MS)
  }
}

export function say(what: string, detail: string): void {
  console.log(`${what} ${detail}`)
}
