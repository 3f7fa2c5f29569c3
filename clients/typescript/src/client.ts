/** Client: a method for each operation, step-up, lists, streams and files. */
import { ServiceError } from './errors.ts'
import { type Operations, OPERATIONS } from './operations.ts'
import type { Event, StepUpChallenge, StepUpProof, UploadSlot } from './schemas.ts'
import { readEvents } from './stream.ts'
import { type TransportOptions, send, sendTo } from './transport.ts'

type Name = keyof Operations
type KeyOf<N extends Name> = Operations[N]['key']

/** Options of one call. */
export type CallOptions = {
  readonly signal?: AbortSignal
  /** Key of the request: a repeat with it, also by another process, does nothing twice. */
  readonly idempotencyKey?: string
  /** Event behind which a stream begins; from now on without it. */
  readonly lastEventId?: string
}
type OptionsOf<N extends Name> =
  KeyOf<N> extends 'required' ? CallOptions & { readonly idempotencyKey: string } : CallOptions

/** Arguments of a call: an input without required members may be left out, and a key that moves money may not. */
type Arguments<N extends Name> =
  KeyOf<N> extends 'required'
    ? [input: Operations[N]['input'], options: OptionsOf<N>]
    : {} extends Operations[N]['input']
      ? [input?: Operations[N]['input'], options?: OptionsOf<N>]
      : [input: Operations[N]['input'], options?: OptionsOf<N>]

type PageOf = { readonly data: readonly unknown[]; readonly next_cursor: string | null }

/** Page of a list, which can be awaited; with `for await` it goes through all items of all pages. */
export type Listing<Page extends PageOf> = Promise<Page> & AsyncIterable<Page['data'][number]>

type AnswerOf<N extends Name> = Operations[N]['answer'] extends PageOf
  ? Listing<Operations[N]['answer']>
  : N extends 'streamEvents'
    ? AsyncIterable<Event>
    : Promise<Operations[N]['answer']>

/** Methods of the client: one for each operation, by its `operationId`. */
export type Methods = { readonly [N in Name]: (...args: Arguments<N>) => AnswerOf<N> }

/** Error types that an operation can answer. */
export type ErrorsOf<N extends Name> = Operations[N]['errors']

/** Proves that a person is there: answers the proof for a challenge, or undefined once it is verified elsewhere. */
export type Prove = (challenge: StepUpChallenge, client: Client) => Promise<StepUpProof | undefined>

type UploadName = { [N in Name]: Operations[N]['answer'] extends UploadSlot ? N : never }[Name]

export type Client = Methods & {
  /** Makes a client that proves itself at a step-up, then repeats the request. */
  readonly withStepUp: (prove: Prove) => Client
  /** Makes a client with another bearer. */
  readonly withToken: (token: TransportOptions['token']) => Client
  /** Asks for a slot, uploads the bytes to it, and answers the id of the file. */
  readonly upload: <N extends UploadName>(operation: N, input: Operations[N]['input'], bytes: Blob) => Promise<string>
  /** Streams a file from a signed address of the service, such as a `download_url`. */
  readonly download: (url: string) => Promise<ReadableStream<Uint8Array>>
}

/** Makes a client. It keeps nothing but what it is given, and writes nothing anywhere. */
export function createClient(options: TransportOptions, prove?: Prove): Client {
  const call = (
    name: Name,
    input: Readonly<Record<string, unknown>> = {},
    { signal, idempotencyKey }: CallOptions = {},
  ) => {
    const [, , , form, takesKey] = OPERATIONS[name]
    const key = takesKey === 'none' ? undefined : (idempotencyKey ?? crypto.randomUUID())
    const sent = { ...requestOf(name, input), idempotencyKey: key, signal }
    const attempt = () => send(options, { ...sent, hasDeadline: form !== 'stream' })
    return prove ? proving(attempt, completeStepUp) : attempt()
  }
  const completeStepUp = async (challenge: StepUpChallenge) => {
    for (;;) {
      const proof = await prove?.(challenge, client)
      if (!proof) return
      const { status, remaining_attempts: left } = await client.completeStepUp({ id: challenge.id, ...proof })
      if (status === 'failed' && left > 0) continue
      const end = status === 'pending' ? await whenDecided(challenge.id) : status
      if (end === 'verified') return
      throw new Error(`the step-up was not verified: ${end}`)
    }
  }
  /** Waits for the decision on an approval device. */
  const whenDecided = async (id: string): Promise<string> => {
    for (;;) {
      const { status } = await client.getStepUp({ id })
      if (status !== 'pending') return status
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }
  const methods = Object.fromEntries(
    Object.entries(OPERATIONS).map(([name, [, , , form]]) => [
      name,
      (input?: Readonly<Record<string, unknown>>, given?: CallOptions) => {
        const answer = (more?: object) => call(name as Name, { ...input, ...more }, given)
        if (form === 'stream')
          return readEvents((lastId) => call(name as Name, { ...input, [LAST_EVENT_ID]: lastId }, given), {
            from: given?.lastEventId,
            signal: given?.signal,
          })
        if (form === 'page') return listing(answer)
        return answer().then((response) => (form === 'json' ? response.json() : form === 'none' ? undefined : response))
      },
    ]),
  ) as unknown as Methods
  const client: Client = {
    ...methods,
    withStepUp: (proof) => createClient(options, proof),
    withToken: (token) => createClient({ ...options, token }, prove),
    upload: async (operation, input, bytes) => {
      const slot = (await (methods[operation] as (input: unknown) => Promise<UploadSlot>)(input)) satisfies UploadSlot
      const headers = { 'content-type': slot.headers['content-type'] }
      await sendTo(options, slot.upload_url, { method: 'PUT', body: bytes, headers })
      return slot.id
    },
    download: async (url) => {
      const response = await sendTo(options, url)
      if (!response.body) throw await ServiceError.from(response)
      return response.body
    },
  }
  return client
}

const POLL_MS = 1000

/** Member of an input that becomes the header Last-Event-ID. */
const LAST_EVENT_ID = 'Last-Event-ID'

/** Sends the request, and once more after a proof if it needs one. */
async function proving(
  attempt: () => Promise<Response>,
  prove: (challenge: StepUpChallenge) => Promise<void>,
): Promise<Response> {
  try {
    return await attempt()
  } catch (error) {
    if (!(error instanceof ServiceError) || error.type !== 'step_up_required' || !error.stepUp) throw error
    await prove(error.stepUp)
    return attempt()
  }
}

/** Splits an input into path, query and body, by the names that the operation declares. */
function requestOf(name: Name, input: Readonly<Record<string, unknown>>) {
  const [method, template, queryNames] = OPERATIONS[name]
  const { [LAST_EVENT_ID]: lastEventId, ...rest } = input
  const body = new Map(Object.entries(rest))
  const { file } = rest
  const path = template.replaceAll(/\{(\w+)\}/g, (_, key: string) => {
    const value = body.get(key)
    body.delete(key)
    return segmentOf(name, key, value)
  })
  const query = new URLSearchParams()
  for (const key of queryNames.split(',')) {
    const value = body.get(key)
    body.delete(key)
    for (const one of [value].flat()) if (one !== undefined && one !== null) query.append(key, textOf(one))
  }
  const headers = lastEventId ? { 'last-event-id': textOf(lastEventId) } : {}
  const search = `${query}` && `?${query}` // URLSearchParams has no size everywhere
  const json = method === 'GET' || body.size === 0 ? undefined : JSON.stringify(Object.fromEntries(body))
  return { method, path: path + search, headers, body: file instanceof Blob ? formWith(file) : json }
}

/** Encodes a value as one segment of a path. Throws for what would make it another path: nothing, and dots. */
function segmentOf(name: Name, key: string, value: unknown): string {
  const text = value === undefined ? '' : textOf(value)
  if (/^\.{0,2}$/.test(text)) throw new TypeError(`${name} needs ${key}`)
  return encodeURIComponent(text)
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

function formWith(file: Blob): FormData {
  const form = new FormData()
  form.append('file', file)
  return form
}

/** Makes a list that can be awaited for its first page, or iterated through all pages. */
function listing(read: (more?: object) => Promise<Response>): Listing<PageOf> {
  const page = async (cursor?: string): Promise<PageOf> =>
    (await read(cursor === undefined ? {} : { cursor })).json() as Promise<PageOf>
  const first = page()
  first.catch(() => {}) // an iteration that never begins must not fail the process
  return Object.assign(first, {
    async *[Symbol.asyncIterator]() {
      for (let now = await first; ;) {
        yield* now.data
        if (now.next_cursor === null) return
        now = await page(now.next_cursor)
      }
    },
  })
}
