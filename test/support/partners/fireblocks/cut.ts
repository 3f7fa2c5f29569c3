/**
 * Cuts the published document of Fireblocks to the operations in use.
 *
 *     node_modules/.bin/yaml --json --single < api-spec-v2.yaml |
 *       node --import tsx test/support/partners/fireblocks/cut.ts > test/support/partners/fireblocks/document.json
 *
 * Source: github.com/fireblocks/ts-sdk, `api-spec-v2.yaml`, version 1.8.0 (SHA-256 f307ba06…eb617). Words for people go.
 */
import { text } from 'node:stream/consumers'

const USED: Readonly<Record<string, readonly string[]>> = {
  '/transactions': ['get', 'post'],
  '/transactions/estimate_fee': ['post'],
  '/transactions/{txId}': ['get'],
  '/transactions/external_tx_id/{externalTxId}': ['get'],
  '/transactions/{txId}/cancel': ['post'],
  '/vault/accounts': ['post'],
  '/vault/assets': ['get'],
  '/vault/accounts_paged': ['get'],
  '/vault/accounts/{vaultAccountId}': ['get'],
  '/vault/accounts/{vaultAccountId}/{assetId}': ['get', 'post'],
  '/vault/accounts/{vaultAccountId}/{assetId}/addresses': ['get', 'post'],
  '/vault/accounts/{vaultAccountId}/{assetId}/addresses_paginated': ['get'],
  '/supported_assets': ['get'],
  '/webhooks/resend': ['post'],
  '/webhooks/resend/{txId}': ['post'],
}
const FOR_PEOPLE = new Set(['description', 'summary', 'example', 'examples', 'tags', 'title', 'externalDocs'])

type Json = null | string | number | boolean | readonly Json[] | { readonly [member: string]: Json }
type Members = { readonly [member: string]: Json }

const isMembers = (json: Json | undefined): json is Members =>
  typeof json === 'object' && json !== null && !Array.isArray(json)

/** Leaves out what only people read. In `properties` every name is a member of data. */
function lean(json: Json, inData = false): Json {
  if (Array.isArray(json)) return json.map((one: Json) => lean(one))
  if (!isMembers(json)) return json
  const kept = Object.entries(json).filter(([name]) => inData || (!FOR_PEOPLE.has(name) && !name.startsWith('x-')))
  return Object.fromEntries(kept.map(([name, value]) => [name, lean(value, name === 'properties' && !inData)]))
}

const at = (json: Json | undefined, name: string): Json | undefined => (isMembers(json) ? json[name] : undefined)

/** Lists the places that a part of the document refers to. */
const referencesIn = (json: Json): string[] =>
  [...JSON.stringify(json).matchAll(/"\$ref":"#\/components\/([^"]+)"/g)].map(([, place = '']) => place)

const whole = JSON.parse(await text(process.stdin)) as Members // the document is an object
const paths = Object.fromEntries(
  Object.entries(USED).map(([path, methods]) => {
    const operations = methods.map((method) => [method, lean(at(at(whole['paths'], path), method) ?? null)] as const)
    return [path, Object.fromEntries(operations)]
  }),
)
const components: Record<string, Record<string, Json>> = {}
const seen = new Set(referencesIn(paths))
for (const place of seen) {
  const [kind = '', name = ''] = place.split('/')
  const part = lean(at(at(whole['components'], kind), name) ?? null)
  components[kind] = { ...components[kind], [name]: part }
  for (const more of referencesIn(part)) seen.add(more)
}
process.stdout.write(
  JSON.stringify({ openapi: whole['openapi'] ?? '', info: lean(whole['info'] ?? null), paths, components }),
)
