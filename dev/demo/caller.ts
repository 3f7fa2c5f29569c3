/** Client of the demo for a running `npm start`: signed in, prints each step. */
import { type Client, ServiceError, createClient, prove } from '../../clients/typescript/src/index.ts'
import { readReady } from '../ready.ts'
import { codesOf } from './codes.ts'
import { newKey } from './steps.ts'
import { dataFolder } from '../settings.ts'

export { follow, newKey } from './steps.ts'
export const dataDir = dataFolder(process.env)

export const ready = readReady()
const { demo } = ready
export const { organization_id } = demo
let token: string | undefined
let device: string | undefined

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

/** Retries with the next code of the owner. */
export const withCode = codesOf(demo.owner.totp_secret, (seconds) =>
  say('  each code works once;', `the next one can be used in ${seconds} s`),
)

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

export function say(what: string, detail: string): void {
  console.log(`${what} ${detail}`)
}
