/** The viewer of a page: session and device cookies, forms of our own origin, and calls of operations in this process. */
import { randomUUID } from 'node:crypto'
import type { Hono } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { bearerIn } from '../../api/http/caller.ts'
import { STEADY, readBody } from '../../api/http/input.ts'
import { partsIn } from '../../api/http/multipart.ts'
import { type Env, type Http, callInside } from '../../api/http/http.ts'
import { API_ROOT } from '../../api/http/route.ts'
import { REFUSALS, Refusal, type RefusalType, refuse } from '../../domain/errors.ts'
import { isUuid } from '../../domain/ids.ts'
import { config } from '../../platform/config.ts'
import type { Words } from '../words/en.ts'
import { type Language, languageOf, wordsIn } from '../words/words.ts'

/** Names a cookie: the prefix binds it to this host over TLS (RFC 6265bis, 4.1.3). */
export const cookieName = (name: string): string => (config.live ? `__Host-${name}` : name)
export const COOKIE = { path: '/', httpOnly: true, sameSite: 'Strict', secure: config.live } as const
const LANGUAGE_COOKIE = 'language'
const DEVICE_SECONDS = 400 * 86_400 // the longest that browsers keep a cookie

/** More than a passkey's attestation takes in a form, twice. */
const FORM_BYTES_MAX = 128 * 1024
/** Hosts of this service: as the browser names it, or as a proxy in front of it is reached. */
const PUBLIC_HOST = new URL(config.publicUrl).host
const FORM = 'application/x-www-form-urlencoded'
const FORM_OF_FILES = 'multipart/form-data'
/** Most that a form with files carries, and most of its parts. */
export const FILES_BYTES_MAX = 15 * 1024 * 1024
export const FILES_MAX = 40

/** Answer of an operation: its body has the declared shape below 400, else the envelope of a refusal. */
export type Answer<Body> =
  | { readonly ok: true; readonly status: number; readonly body: Body }
  | { readonly ok: false; readonly status: number; readonly error: RefusalView }

/** Answer of a list. */
export type Rows<Row> = {
  readonly data: readonly Row[]
  readonly has_more: boolean
  readonly next_cursor: string | null
}

/** Refusal as its envelope has it. */
export type RefusalView = {
  readonly type: string
  readonly message: string
  readonly request_id: string
  readonly details?: Readonly<Record<string, unknown>>
  readonly step_up?: unknown
  /** Language of the viewer who was refused. */
  readonly language: Language
}

/** Makes the refusal of an operation that of the page: too many requests, an outage. */
export const refusalIn = ({ type, details }: RefusalView): Refusal =>
  new Refusal(isRefusalType(type) ? type : 'internal_error', details)

const isRefusalType = (type: string): type is RefusalType => Object.hasOwn(REFUSALS, type)

/** File that a form carries; browsers send an empty one without a name for a field that was left empty. */
export type SentFile = { readonly name: string; readonly bytes: Buffer }

export type Fields = {
  readonly get: (name: string) => string
  readonly all: (name: string) => string[]
  readonly files: (name: string) => readonly SentFile[]
  /** All values in their order, without files. */
  readonly entries: readonly (readonly [name: string, value: string])[]
}

export const NO_FIELDS: Fields = { get: () => '', all: () => [], files: () => [], entries: [] }

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

export class Viewer {
  /** Address of the page that has the form of this address, or is it. */
  place = '/'
  /** Form that this request brought, once it was read. */
  sent: Fields | null = null

  constructor(
    private readonly app: Hono<Env>,
    readonly http: Http,
    /** True for a page that looks for changes by itself: that is no use of the session. */
    private readonly quiet = false,
  ) {}

  /** Token of the session; empty without one, or with what no header can carry. */
  get session(): string {
    return bearerIn(`Bearer ${getCookie(this.http, cookieName('session')) ?? ''}`) ?? ''
  }

  get isSignedIn(): boolean {
    return this.session !== ''
  }

  get device(): string | undefined {
    const device = getCookie(this.http, cookieName('device'))
    return isUuid(device) ? device : undefined
  }

  /** Language that was chosen in this browser, else the one that it asks for. */
  get language(): Language {
    return languageOf(getCookie(this.http, LANGUAGE_COOKIE), this.http.req.header('accept-language'))
  }

  get words(): Words {
    return wordsIn(this.language)
  }

  /** Keeps a language for this browser. It is no secret, and is the same before and after a sign-in. */
  speak(language: string): void {
    setCookie(this.http, LANGUAGE_COOKIE, languageOf(language), { ...COOKIE, maxAge: DEVICE_SECONDS })
  }

  /** Begins the session of this browser: a new cookie with each sign-in, so that none can be planted before it. */
  begin(session: { readonly token: string; readonly device_id: string }): void {
    setCookie(this.http, cookieName('session'), session.token, COOKIE)
    setCookie(this.http, cookieName('device'), session.device_id, { ...COOKIE, maxAge: DEVICE_SECONDS })
  }

  end(): void {
    deleteCookie(this.http, cookieName('session'), COOKIE)
  }

  /** Ends a session that is not to be that of this browser. */
  async endSession(token: string): Promise<void> {
    await callInside(this.app, this.http, {
      method: 'POST',
      path: `${API_ROOT}/auth/sign-out`,
      headers: { authorization: `Bearer ${token}` },
    })
  }

  private readonly begun = new Map<string, Promise<Answer<unknown>>>()

  /** Asks ahead for what the page reads once its frame is known: the first `call` of this path has the answer. */
  readAhead(path: string): void {
    const answer = this.call('GET', path)
    answer.catch(() => {}) // the first call has the failure
    this.begun.set(path, answer)
  }

  /** Calls an operation through the pipeline of the API, as its caller would over HTTP; with a key, a repeat does it once. */
  async call<Body>(method: Method, path: string, json?: object, key?: string): Promise<Answer<Body>> {
    const begun = method === 'GET' ? this.begun.get(path) : undefined
    this.begun.delete(path)
    if (begun) return begun as Promise<Answer<Body>> // asked for by the same path
    const response = await this.fetch(method, path, json, key)
    const body: unknown = response.status === 204 ? null : await response.json()
    return response.status < 400
      ? { ok: true, status: response.status, body: body as Body } // what the operation answers is checked by it
      : this.refusal(response.status, body)
  }

  private refusal(status: number, body: unknown): Answer<never> {
    const { error } = body as { error: Omit<RefusalView, 'language'> } // the envelope of every refusal
    return { ok: false, status, error: { ...error, language: this.language } }
  }

  /** Calls an operation, and leaves its answer as it is. */
  async fetch(method: Method, path: string, json?: object, key?: string): Promise<Response> {
    if (key && !/^[\x20-\x7e]{1,255}$/.test(key)) refuse('idempotency_key_invalid') // no header can carry it
    return callInside(this.app, this.http, {
      method,
      path: API_ROOT + path,
      quiet: this.quiet,
      headers: {
        ...(this.isSignedIn && { authorization: `Bearer ${this.session}` }),
        ...(key && { 'idempotency-key': key }),
      },
      ...(json && { body: { type: 'application/json', bytes: Buffer.from(JSON.stringify(json)) } }),
    })
  }

  /** Sends bytes to an address of this service that takes a file, such as an `upload_url`. */
  async upload(url: string, type: string, bytes: Buffer): Promise<Answer<unknown>> {
    const { pathname, search } = new URL(url, config.publicUrl)
    const response = await callInside(this.app, this.http, {
      method: 'PUT',
      path: pathname + search,
      headers: {},
      body: { type, bytes },
    })
    const body: unknown = await response.json()
    return response.status < 400 ? { ok: true, status: response.status, body } : this.refusal(response.status, body)
  }

  /** Sends a file to an operation that takes one as a part of a form. */
  async sendFile<Body>(path: string, name: string, { bytes }: SentFile): Promise<Answer<Body>> {
    const boundary = `part-${randomUUID()}`
    const open = `--${boundary}\r\ncontent-disposition: form-data; name="${name}"; filename="file"\r\n\r\n`
    const response = await callInside(this.app, this.http, {
      method: 'POST',
      path: API_ROOT + path,
      headers: { authorization: `Bearer ${this.session}` },
      body: {
        type: `${FORM_OF_FILES}; boundary=${boundary}`,
        bytes: Buffer.concat([Buffer.from(open), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
      },
    })
    const body: unknown = await response.json()
    return response.status < 400
      ? { ok: true, status: response.status, body: body as Body } // what the operation answers is checked by it
      : this.refusal(response.status, body)
  }

  /**
   * Reads a form of this origin. Refuses one of another page, which a browser would send with our cookies. Files are
   * read for people who are signed in alone, each with a share of the memory of their own.
   */
  async form(): Promise<Fields> {
    const { req } = this.http
    const [site, origin] = [req.header('sec-fetch-site'), req.header('origin')]
    const host = origin !== undefined && URL.canParse(origin) ? new URL(origin).host : undefined
    const own = host !== undefined && [req.header('host'), PUBLIC_HOST].includes(host)
    if (!own || (site ?? (config.live ? 'none' : 'same-origin')) !== 'same-origin') refuse('forbidden')
    const type = req.header('content-type') ?? ''
    if (type.startsWith(FORM_OF_FILES)) return (this.sent = await this.filesOf(type))
    if (!type.startsWith(FORM)) refuse('unsupported_media_type', { expected: FORM })
    const sent = new URLSearchParams((await readBody(this.http, 'page', FORM_BYTES_MAX)).toString())
    return (this.sent = fieldsOf([...sent], []))
  }

  private async filesOf(type: string): Promise<Fields> {
    const me = await this.call<{ readonly id: string }>('GET', '/me')
    if (!me.ok) throw refusalIn(me.error)
    const limits = { toldMax: FILES_BYTES_MAX, pace: STEADY }
    const body = await readBody(this.http, `page ${me.body.id}`, FILES_BYTES_MAX, limits)
    const values: [string, string][] = []
    const files: [string, SentFile][] = []
    for (const { name = '', filename, content } of partsIn(body, type, FILES_MAX)) {
      if (filename === undefined) values.push([name, content.toString()])
      else if (filename !== '' || content.length > 0) files.push([name, { name: filename, bytes: content }])
    }
    return fieldsOf(values, files)
  }
}

const fieldsOf = (
  entries: readonly (readonly [string, string])[],
  files: readonly (readonly [string, SentFile])[],
): Fields => {
  const values = new Map<string, string[]>()
  for (const [name, value] of entries) {
    const known = values.get(name)
    if (known) known.push(value)
    else values.set(name, [value])
  }
  const all = (name: string) => [...(values.get(name) ?? [])]
  return {
    get: (name) => values.get(name)?.[0] ?? '',
    all,
    files: (name) => files.flatMap(([key, file]) => (key === name ? [file] : [])),
    entries,
  }
}
