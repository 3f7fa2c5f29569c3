/** `npm run openapi:examples <file>`: picks an example of each operation from the calls that tests recorded. */
import { readFile, writeFile } from 'node:fs/promises'

type RecordedCall = { readonly operationId: string; readonly body?: unknown; readonly answer: unknown }

const SECRETS =
  /^(token|sign_up_token|secret|secret_encoded|uri|credential|challenge_token|trust_token|invitation_token|password|current_password|code|messaging_code|signature|challenge|upload_url|download_url|public_url|url|authorize_url|public_key)$/
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/
const [TEXT_MAX, ITEMS_MAX] = [200, 1]

/** Makes an example short and the same each time: numbered ids, one instant, one item of a list, no secrets. */
function tidy(value: unknown, ids: Map<string, string>, name = ''): unknown {
  if (Array.isArray(value) && value.every((one) => typeof one === 'number')) return value
  if (Array.isArray(value)) return value.slice(0, ITEMS_MAX).map((one) => tidy(one, ids, name))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, tidy(one, ids, key)]))
  if (typeof value !== 'string') return value
  if (SECRETS.test(name) && value !== '' && (name !== 'code' || /^\d+$/.test(value))) return secretOf(name)
  if (name === 'email') return 'ada@example.com'
  if (INSTANT.test(value)) return '2026-11-26T09:00:00.000Z'
  const numbered = value.replaceAll(UUID, (id) => {
    ids.set(id, ids.get(id) ?? `01900000-0000-7000-8000-${String(ids.size + 1).padStart(12, '0')}`)
    return ids.get(id) ?? ''
  })
  return numbered.slice(0, TEXT_MAX)
}

const secretOf = (name: string): string => {
  if (name.endsWith('url')) return 'https://api.example.com/signed'
  if (name === 'uri') return 'otpauth://totp/Business%20Finance%20Service:ada%40example.com?secret=ABCDEFGHIJKLMNOP'
  return /code/.test(name) ? '123456' : '…'
}

/** Ranks a recorded call: more members that are set, then a shorter text. */
const worth = ({ body, answer }: RecordedCall): number => {
  const text = JSON.stringify([body, answer])
  return (text.match(/:(?!null|""|\[\])/g) ?? []).length - text.length / 2000
}

const [file] = process.argv.slice(2)
if (!file) throw new Error('which file of recorded calls?')
const best = new Map<string, RecordedCall>()
for (const line of (await readFile(file, 'utf8')).trim().split('\n')) {
  const recorded = JSON.parse(line) as RecordedCall
  const before = best.get(recorded.operationId)
  if (!before || worth(recorded) > worth(before)) best.set(recorded.operationId, recorded)
}
const tidied = [...best.values()].map(({ operationId, body, answer }) => {
  const ids = new Map<string, string>()
  return [operationId, { ...(body !== undefined && { body: tidy(body, ids) }), answer: tidy(answer, ids) }]
})
const place = new URL('../api/openapi/examples.json', import.meta.url)
// operations that no test called keep the example that was written by hand
const kept = { ...JSON.parse(await readFile(place, 'utf8')), ...Object.fromEntries(tidied) }
const sorted = Object.entries(kept).toSorted(([one], [other]) => one.localeCompare(other))
await writeFile(place, `${JSON.stringify(Object.fromEntries(sorted), null, 1)}\n`)
