/** API reference page and document, served from this origin alone. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { Scalar } from '@scalar/hono-api-reference'
import type { Hono } from 'hono'
import { openApiDocument } from './document.ts'
import { type Env, PreparedJson, takesGzip } from '../http/http.ts'
import type { Route } from '../http/route.ts'

/** Smallest of the packages with Scalar's script (docs/weights.md). */
const SCRIPT_PACKAGE = '@scalar/fastify-api-reference'
const SCRIPT_PATH = '/docs/scalar.js'
const SCRIPT_MAX_AGE_SECONDS = 3600
const DOCUMENT_MAX_AGE_SECONDS = 60

const page = Scalar<Env>({
  url: '/openapi.json',
  cdn: SCRIPT_PATH,
  pageTitle: 'Business Finance Service API',
  withDefaultFonts: false,
  telemetry: false,
  authentication: { preferredSecurityScheme: 'session' },
  showDeveloperTools: 'never',
  agent: { disabled: true },
})

/** Mounts `/openapi.json`, the reference page at `/docs`, and its one script. */
export function mountDocs(app: Hono<Env>, routes: readonly Route[]): void {
  let document: PreparedJson | undefined
  app.get('/openapi.json', (http) => {
    document ??= prepareDocument(routes)
    return document.toResponse(http, { 'cache-control': `public, max-age=${DOCUMENT_MAX_AGE_SECONDS}` })
  })
  app.get('/docs', async (http, next) => {
    const rendered = await page(http, next)
    if (!rendered) throw new Error('the reference page was not rendered')
    // without an icon of its own the browser would request one
    const html = (await rendered.text())
      .replace('<html>', '<html lang="en">')
      .replace('</head>', '<link rel="icon" href="data:,">\n</head>')
    return http.html(html, 200, {
      'content-security-policy': policyFor(html),
      'cross-origin-opener-policy': 'same-origin',
    })
  })
  let script: Promise<{ plain: Buffer<ArrayBuffer>; packed: Buffer<ArrayBuffer> }> | undefined
  app.get(SCRIPT_PATH, async (http) => {
    script ??= readScript()
    const { plain, packed } = await script
    const packs = takesGzip(http)
    return http.body(packs ? packed : plain, 200, {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': `public, max-age=${SCRIPT_MAX_AGE_SECONDS}`,
      vary: 'accept-encoding',
      ...(packs && { 'content-encoding': 'gzip' }),
    })
  })
}

function prepareDocument(routes: readonly Route[]): PreparedJson {
  const json = Buffer.from(JSON.stringify(openApiDocument(routes)))
  let packed: Promise<Buffer<ArrayBuffer>> | undefined
  return new PreparedJson({
    tag: createHash('sha256').update(json).digest('base64url'),
    json: () => json,
    gzip: () => (packed ??= promisify(gzip)(json)),
  })
}

async function readScript() {
  const folder = dirname(createRequire(import.meta.url).resolve(SCRIPT_PACKAGE))
  const plain = await readFile(join(folder, 'js/standalone.js'))
  return { plain, packed: await promisify(gzip)(plain) }
}

/** Builds the content security policy: our script, the page's own lines by hash, and this origin alone. */
function policyFor(html: string): string {
  const hashes = Array.from(html.matchAll(/<script type="text\/javascript">([^]*?)<\/script>/g), ([, lines = '']) => {
    return `'sha256-${createHash('sha256').update(lines).digest('base64')}'`
  })
  return [
    "default-src 'none'",
    `script-src 'self' ${hashes.join(' ')}`,
    "style-src 'self' 'unsafe-inline'", // the page's components write their styles into it
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
