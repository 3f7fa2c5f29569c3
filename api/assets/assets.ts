/** Style, script and icons of the pages, each under an address that changes with its bytes. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { type Http, takesGzip } from '../http/http.ts'
import { refuse } from '../../domain/errors.ts'
import { config } from '../../platform/config.ts'

const TYPES = {
  'style.css': 'text/css; charset=utf-8',
  'page.js': 'text/javascript; charset=utf-8',
  'icons.svg': 'image/svg+xml',
  'favicon.svg': 'image/svg+xml',
} as const
type Name = keyof typeof TYPES

/** Files that an asset is made of, in their order; by default the one of its name. */
const PARTS: Readonly<Partial<Record<string, readonly string[]>>> = {
  'style.css': ['style/base.css', 'style/frame.css', 'style/parts.css'],
}

const HASH_CHARACTERS = 16

type File = {
  readonly bytes: Buffer
  /** Same bytes compressed, which text is worth. */
  readonly packed: Buffer | null
  readonly type: string
  readonly address: string
}

function fileOf(name: string, type: string, bytes: Buffer): File {
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, HASH_CHARACTERS)
  const packed = type === 'image/png' ? null : gzipSync(bytes)
  return { bytes, packed, type, address: `/pages/${hash}/${name}` }
}

const files = new Map(
  Object.entries(TYPES).map(([name, type]) => {
    const parts = (PARTS[name] ?? [name]).map((part) => readFileSync(new URL(part, import.meta.url)))
    return [name, fileOf(name, type, Buffer.concat(parts))]
  }),
)

/** Address of the picture of the service; null if SERVICE_LOGO names none. */
export const LOGO = logoIn(config.serviceLogo)

function logoIn(path: string | undefined): string | null {
  if (path === undefined) return null
  const [name, type] = path.endsWith('.png') ? ['logo.png', 'image/png'] : ['logo.svg', 'image/svg+xml']
  const file = fileOf(name, type, readFileSync(path))
  files.set(name, file)
  return file.address
}

/** Colours of every page: the first rule of the style. */
export const PALETTE = /^:root \{[^}]*\}/.exec(files.get('style.css')?.bytes.toString() ?? '')?.[0] ?? ''

export const ASSETS = '/pages/:hash/:name'

export function assetPath(name: Name): string {
  const file = files.get(name)
  if (!file) throw new Error(`no asset ${name}`)
  return file.address
}

/** Answers an asset; for ever under the hash of its bytes, and not at all under another. */
export function serveAsset(http: Http): Response {
  const file = files.get(http.req.param('name') ?? '')
  if (!file || file.address !== http.req.path) refuse('route_not_found')
  const packed = takesGzip(http) ? file.packed : null
  return http.body(new Uint8Array(packed ?? file.bytes), 200, {
    'content-type': file.type,
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
    ...(packed && { 'content-encoding': 'gzip' }),
  })
}
