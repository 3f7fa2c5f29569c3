/** Hostile bodies: how long `/healthz` is silent beside each, and their memory. */
import { readFileSync, readdirSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { FORM, formOfNothing } from '../test/support/http/forms.ts'
import { black, png, withPackedText } from '../test/support/files/png.ts'
import { makePeople } from './identity.ts'
import { line } from './measure.ts'

const SILENT_MS_MAX = 100
const MEMORY_MIB_MAX = 300
const SAMPLED_EVERY_MS = 5

type SentFile = {
  readonly path: string
  readonly token?: string
  readonly type: string
  readonly body: Uint8Array<ArrayBuffer> | string
}

export async function benchHostile(apiUrl: string, pid: number): Promise<void> {
  const [somebody] = await makePeople()
  const token = somebody?.token ?? ''
  const parts = { path: '/me/avatar', type: FORM.headers['content-type'], body: formOfNothing(47_000).body }
  const keys = JSON.stringify(Object.fromEntries(Array.from({ length: 75_000 }, (_, index) => [`k${index}`, 1])))
  const json = { path: '/organizations', type: 'application/json', body: keys }
  const picture = (file: Buffer) => ({ path: '/me/avatar', token, type: parts.type, body: formOf(file) })
  const bodies: Record<string, SentFile> = {
    '47,000 parts of a stranger': parts,
    '47,000 parts of a person': { ...parts, token },
    '75,000 keys of a stranger': json,
    '75,000 keys of a person': { ...json, token },
    '500,000 escaped quotes of a stranger': { ...json, body: `"${'\\"'.repeat(500_000)}"` },
    'a picture with 90 packed texts': picture(withPackedText(90)),
    'a picture with 20 packed texts': picture(withPackedText(20)),
    'a picture of 40 megapixels': picture(png(8000, 5000, black(8000, 5000))),
  }
  await send(apiUrl, bodies['a picture with 20 packed texts'] ?? parts) // warm-up
  for (const [name, body] of Object.entries(bodies)) {
    await delay(500)
    const quietMib = memoryMib(pid)
    const watch = watching(apiUrl, pid)
    const begun = performance.now()
    const status = await send(apiUrl, body)
    const ms = performance.now() - begun
    const { silentMs, peakMib } = await watch()
    const note = `${status} after ${ms.toFixed(0)} ms; ${(peakMib - quietMib).toFixed(0)} MiB over ${quietMib.toFixed(0)}`
    line(`${name}, ms silent`, silentMs, note, { atMost: SILENT_MS_MAX })
    if (peakMib - quietMib > MEMORY_MIB_MAX) line(`${name}, MiB`, peakMib - quietMib, '', { atMost: MEMORY_MIB_MAX })
  }
}

/** Samples `/healthz` and the memory until it is stopped. */
function watching(apiUrl: string, pid: number): () => Promise<{ silentMs: number; peakMib: number }> {
  let [silentMs, peakMib, over] = [0, 0, false]
  const asking = async () => {
    while (!over) {
      const begun = performance.now()
      await (await fetch(`${apiUrl}/healthz`)).arrayBuffer()
      silentMs = Math.max(silentMs, performance.now() - begun)
    }
  }
  const looking = async () => {
    while (!over) {
      peakMib = Math.max(peakMib, memoryMib(pid))
      await delay(SAMPLED_EVERY_MS)
    }
  }
  const running = Promise.all([asking(), looking()])
  return async () => {
    over = true
    await running
    return { silentMs, peakMib }
  }
}

function memoryMib(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    const children = threads.flatMap((id) => readFileSync(`/proc/${pid}/task/${id}/children`, 'utf8').split(' '))
    const own = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
    return children.filter(Boolean).reduce((sum, child) => sum + memoryMib(Number(child)), own)
  } catch {
    return 0 // it ended while it was read
  }
}

function formOf(file: Buffer): Uint8Array<ArrayBuffer> {
  const [before = '', after = ''] = FORM.body.split('bytes')
  return new Uint8Array(Buffer.concat([Buffer.from(before), file, Buffer.from(after)]))
}

async function send(apiUrl: string, { path, token, type, body }: SentFile): Promise<number> {
  const headers = { 'content-type': type, ...(token && { authorization: `Bearer ${token}` }) }
  const response = await fetch(`${apiUrl}/api/v1${path}`, { method: 'POST', headers, body })
  await response.arrayBuffer()
  return response.status
}
