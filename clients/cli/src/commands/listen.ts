/** Listen: forwards events to an address, signed as deliveries of a webhook are. */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Event } from 'business-finance-client'
import type { Command } from 'commander'
import { Webhook } from 'standardwebhooks'
import { describeEvent } from '../call.ts'
import type { Context } from '../context.ts'
import { EXIT, Failure } from '../failures.ts'
import type { Act } from '../run.ts'
import { findHead, followEvents } from './follow.ts'

type Options = {
  readonly forwardTo: string
  readonly secretFile?: string
  readonly type?: readonly string[]
  readonly since?: string
}

const TIMEOUT_MS = 15_000
const [RETRY_MS, RETRY_MAX_MS] = [1000, 30_000]

export function addListen(program: Command, act: Act): void {
  program
    .command('listen')
    .description('forward events to an address of yours, signed like a webhook')
    .requiredOption('--forward-to <url>')
    .option('--secret-file <file>', 'file with the secret of the signatures; else one is made and printed')
    .option('--type <type...>', 'only events of these types')
    .option('--since <event>', 'begin behind this event instead of now')
    .action(act(listen))
}

async function listen(context: Context, options: Options): Promise<number> {
  const { output, io } = context
  const organization_id = context.organization()
  if (!URL.canParse(options.forwardTo) || !/^https?:/.test(options.forwardTo))
    throw new Failure(EXIT.usage, `${options.forwardTo} is no address on the web`)
  const secret = await readOrMakeSecret(options.secretFile)
  const from = options.since ?? (await findHead(context, organization_id))
  if (!options.secretFile) output.say(`Secret of the signatures: ${secret}`)
  output.say(`Forwarding to ${options.forwardTo}`)
  const filters = { organization_id, ...(options.type && { type: options.type }) }
  try {
    for await (const event of followEvents(context, filters, from))
      await deliver(context, options.forwardTo, event, secret)
  } catch (error) {
    if (!io.signal.aborted) throw error
  }
  return EXIT.done
}

async function readOrMakeSecret(file: string | undefined): Promise<string> {
  const secret = file ? (await readFile(file, 'utf8')).trim() : `whsec_${randomBytes(32).toString('base64')}`
  if (!/^whsec_[\w+/]+=*$/.test(secret)) throw new Failure(EXIT.usage, 'A secret is whsec_ and base64.')
  return secret
}

/** Delivers an event until it is taken: the ones behind it wait, so that their order stays. */
async function deliver({ output, io }: Context, url: string, event: Event, secret: string): Promise<void> {
  const body = JSON.stringify({ type: event.event_type, timestamp: event.occurred_at, data: event })
  for (let attempt = 0; ; attempt += 1) {
    const status = await post(url, event.id, body, secret, io.signal)
    if (status >= 200 && status < 300) {
      output.endProgress()
      return output.line(output.isForPeople ? `${status}  ${describeEvent(event)}` : JSON.stringify(event))
    }
    output.progress(`${event.id}  ${status === 0 ? 'no answer' : status}; waiting`)
    await io.pause(Math.min(RETRY_MAX_MS, RETRY_MS * 2 ** attempt))
  }
}

/** Posts a signed delivery; answers the status, or 0 if there is no answer. */
async function post(url: string, id: string, body: string, secret: string, signal: AbortSignal): Promise<number> {
  const at = new Date()
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': new Webhook(secret).sign(id, at, body),
      },
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    await response.body?.cancel()
    return response.status
  } catch {
    signal.throwIfAborted()
    return 0
  }
}
