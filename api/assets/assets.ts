/** Style and script of the pages, each under an address that changes with its bytes. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Http } from '../http/http.ts'
import { refuse } from '../../domain/errors.ts'

const TYPES = { 'style.css': 'text/css; charset=utf-8', 'page.js': 'text/javascript; charset=utf-8' } as const
type Name = keyof typeof TYPES

const HASH_CHARACTERS = 16

const files = new Map(
  Object.entries(TYPES).map(([name, type]) => {
    const bytes = readFileSync(new URL(name, import.meta.url))
    const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, HASH_CHARACTERS)
    return [name, { bytes, type, address: `/pages/${hash}/${name}` }]
  }),
)

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
  return http.body(new Uint8Array(file.bytes), 200, {
    'content-type': file.type,
    'cache-control': 'public, max-age=31536000, immutable',
  })
}
