/** Request of the router with the notes of the edge, and answers that are files. */
import { Readable, finished } from 'node:stream'
import { gzipSync } from 'node:zlib'
import type { HttpBindings } from '@hono/node-server'
import type { Context, Hono } from 'hono'
import { html } from 'hono/html'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type * as v from 'valibot'
import type { OrganizationId } from '../../domain/ids.ts'
import type { Audience } from '../../domain/people/audience.ts'
import type { Refusal } from '../../domain/errors.ts'
import { config } from '../../platform/config.ts'
import { accessLog } from '../../platform/log.ts'

export type Env = {
  /**
   * `quiet`: a page looks for changes, which is no use of the session and counts under no limit of the caller.
   * `audience`: what a token has to be for, if a call of ours came by another resource than the operations.
   * `onPage`: a page of ours asks.
   */
  Bindings: HttpBindings & {
    readonly quiet?: boolean
    readonly audience?: Audience | undefined
    readonly onPage?: boolean
  }
  Variables: {
    requestId: string
    address: string
    route?: string
    /** Caller, as the log names them. */
    caller?: Readonly<Record<string, string>>
    /** Organization whose log has the request. */
    organization?: OrganizationId
    /** Operation that the request is for. */
    operation?: NamedOperation
    /** Type of the refusal, for the log. */
    refused?: string
    refusalPage?: RefusalPage
    refusalForm?: Pick<RefusalForm, 'of'>
  }
}
export type Http = Context<Env>

/** Operation, as logs name it. */
export type NamedOperation = {
  readonly operationId: string
  readonly method: string
  readonly path: string
  readonly root?: boolean
}

/** Request to an operation of this process, for the caller of another one. */
export type Inner = {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: { readonly type: string; readonly bytes: Buffer }
  readonly quiet?: boolean
  readonly audience?: Audience
}

/** Calls the app from within as the caller would over HTTP: from their address, under their limits, in the log. */
export async function callInside(app: Hono<Env>, http: Http, inner: Inner): Promise<Response> {
  const { method, path, body, audience, quiet = false } = inner
  const headers = new Headers({ 'x-request-id': http.get('requestId'), ...inner.headers })
  for (const name of ['user-agent', 'accept-language', 'x-forwarded-for']) {
    const value = http.req.header(name)
    if (value !== undefined) headers.set(name, value)
  }
  if (body) {
    headers.set('content-type', body.type)
    headers.set('content-length', String(body.bytes.length))
  }
  // the pipeline reads the body from the connection; here it is made of what is asked
  const incoming = Object.assign(Readable.from(body ? [body.bytes] : []), { socket: http.env.incoming.socket })
  const onPage = audience === undefined // programs of the protocol for models have one of their own
  return app.request(path, { method, headers }, { ...http.env, incoming, quiet, audience, onPage })
}

/** Longest pause of a long body before its connection is ended. */
export const STALLED_MS = config.requestDeadlineMs * 3

/** Policy of answers that are no pages: a browser that shows one loads, runs and frames nothing. */
export const NO_PAGE_CSP =
  "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Policy of bytes that people sent: shown as they are, and never run as a page. */
export const NO_SCRIPT_CSP = `${NO_PAGE_CSP}; sandbox`

/** JSON that the caller may cache: its tag names the bytes, which are made only if the caller has others. */
export class PreparedJson {
  constructor(
    private readonly prepared: {
      readonly tag: string
      readonly json: () => Uint8Array<ArrayBuffer>
      /** Same bytes compressed; absent if that is not worth it. */
      readonly gzip?: () => Promise<Uint8Array<ArrayBuffer>>
    },
  ) {}

  /** Answers the bytes, compressed if accepted; 304 if the caller has them (RFC 9110, section 13.1.2). */
  async toResponse(http: Http, kept: Record<string, string>): Promise<Response> {
    const { tag, json, gzip } = this.prepared
    const [plain, packed] = [`"${tag}"`, `"${tag}-gzip"`] // a strong tag names bytes as they are sent
    const vary = gzip && { vary: [kept['vary'], 'accept-encoding'].filter(Boolean).join(', ') }
    const had = (http.req.header('if-none-match') ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
    const packs = gzip && takesGzip(http)
    const headers = { ...kept, ...vary, etag: packs ? packed : plain }
    const known = had.includes('*') ? headers.etag : [plain, ...(gzip ? [packed] : [])].find((tag) => had.includes(tag))
    if (known) return http.body(null, 304, { ...headers, etag: known })
    const shown = { ...headers, 'content-type': 'application/json' }
    return packs
      ? http.body(await gzip(), 200, { ...shown, 'content-encoding': 'gzip' })
      : http.body(json(), 200, shown)
  }
}

const ACCEPT_ENCODING_CHARACTERS_MAX = 256
/** Accepted coding with any weight but zero; a weight has at most three decimals. */
const GZIP = /^\s*gzip\s*(?:;\s*q=(?:1(?:\.0{0,3})?|0\.(?=0{0,2}[1-9])\d{1,3})\s*)?$/i

/** Tells if the caller accepts gzip (RFC 9110, section 12.5.3); a long header is not read. */
export function takesGzip(http: Http): boolean {
  const accepted = http.req.header('accept-encoding') ?? ''
  return accepted.length < ACCEPT_ENCODING_CHARACTERS_MAX && accepted.split(',').some((coding) => GZIP.test(coding))
}

export class Page {
  constructor(
    readonly html: string,
    private readonly policy: string,
    private readonly status: ContentfulStatusCode = 200,
  ) {}

  /**
   * Answers the page, compressed if accepted: 16 KB become 2, in 0.1 ms. A compressed length tells about secrets only to
   * one who can have pages asked for with words of their own (BREACH): other sites send no cookie of ours.
   */
  toResponse(http: Http, status = this.status): Response {
    const headers = { 'content-security-policy': this.policy, vary: 'accept-encoding' }
    if (!takesGzip(http)) return http.html(this.html, status, headers)
    const type = { 'content-type': 'text/html; charset=UTF-8', 'content-encoding': 'gzip' }
    return http.body(gzipSync(this.html), status, { ...headers, ...type })
  }
}

export type RefusalPage = (status: number) => Promise<Page>

/** Body of a refusal in another form than our envelope, for programs that know a standard. */
export type RefusalForm = { readonly schema: v.GenericSchema; readonly of: (refusal: Refusal) => object }

export type Markup = ReturnType<typeof html>

type Shown = {
  readonly language: string
  readonly title: string
  readonly style?: Markup | ''
  readonly body: Markup
  /** Classes of the body. */
  readonly styled?: string
  /** Address of the icon; by default none is loaded. */
  readonly icon?: string
}

/** Writes a document around a page. No search engine lists it. */
export async function htmlPage({
  language,
  title,
  style = '',
  body,
  styled = '',
  icon = 'data:,',
}: Shown): Promise<string> {
  const whole = await html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <title>${title}</title>
        <link rel="icon" href="${icon}" />
        ${style}
      </head>
      <body${styled ? html` class="${styled}"` : ''}>
        ${body}
      </body>
    </html> `
  return whole.toString()
}

export class Download {
  constructor(
    private readonly file: {
      readonly filename: string
      readonly contentType: string
      readonly byteSize: number
      readonly open: () => Promise<Readable>
      /** Called once, when the answer is over, however it ends. */
      readonly over?: () => void
    },
  ) {}

  async toResponse(http: Http): Promise<Response> {
    const { filename, contentType, byteSize, open, over } = this.file
    if (over) finished(http.env.outgoing, () => over())
    const headers = {
      'content-type': contentType,
      'content-length': String(byteSize),
      'content-disposition': attachment(filename),
      'content-security-policy': NO_SCRIPT_CSP,
    }
    if (http.req.method === 'HEAD') return http.body(null, 200, headers)
    http.env.outgoing.setTimeout(STALLED_MS)
    const pieces = Readable.from(whole(await open(), http), { objectMode: false })
    // the types of a web stream in Node and in the platform are incompatible
    return http.body(Readable.toWeb(pieces) as ReadableStream<Uint8Array>, 200, headers)
  }
}

/** Stream of text that goes on while there is something to send and both sides stay. */
export class Live {
  constructor(
    private readonly stream: {
      readonly contentType: string
      /** Longest pause in reading before the caller is cut off; pieces come more often. */
      readonly stalledMs: number
      /** Called when the answer begins; the signal fires when it is over. */
      readonly begin: (over: AbortSignal) => AsyncIterable<string>
    },
  ) {}

  toResponse(http: Http): Response {
    const { contentType, stalledMs, begin } = this.stream
    const headers = { 'content-type': contentType, 'cache-control': 'no-store', 'x-accel-buffering': 'no' }
    if (http.req.method === 'HEAD') return http.body(null, 200, headers)
    const { outgoing } = http.env
    const [over, begunAt] = [new AbortController(), performance.now()]
    // backpressure: makes one piece when there is room, so that a caller who does not read uses no memory
    const pieces = Readable.from(begin(over.signal), { objectMode: false, highWaterMark: 1 })
    finished(outgoing, () => {
      over.abort()
      const seconds = Math.round((performance.now() - begunAt) / 1000)
      accessLog.info(
        { request_id: http.get('requestId'), route: http.get('route'), ...http.get('caller'), seconds },
        'stream',
      )
    })
    outgoing.setTimeout(stalledMs)
    // the types of a web stream in Node and in the platform are incompatible
    return http.body(Readable.toWeb(pieces) as ReadableStream<Uint8Array>, 200, headers)
  }
}

/** Ends the connection if the stream breaks off: a part must not pass for the whole. */
async function* whole(pieces: Readable, { env: { outgoing } }: Http): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces
  } catch {
    outgoing.destroy() // the reason is logged already
  }
}

/** Writes the header by RFC 6266: ASCII for old programs, the full name for all others (RFC 8187). */
function attachment(filename: string): string {
  const plain = filename.replaceAll(/[^\x20-\x7e]|["\\%/]/g, '_')
  const whole = encodeURIComponent(filename).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`
}
