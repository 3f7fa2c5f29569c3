/** The recorded histories of test/histories: where they are, and what must never be readable in them. */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { fileURLToPath } from 'node:url'

/** One event of a history in JSON; what an event carries depends on its type. */
export type HistoryEvent = { eventType: string; [attributes: string]: any }
export type History = { events: HistoryEvent[] }

/** What whoever lacks the key can read of a history: the JSON itself, and the bytes of every payload as text. */
export function readable(history: History): string {
  const text = JSON.stringify(history)
  const payloads = [...text.matchAll(/"data":"([A-Za-z0-9+/]+={0,2})"/g)].map(([, data]) =>
    Buffer.from(data ?? '', 'base64'),
  )
  return [text, ...payloads.map(String)].join('\n')
}

const folder = new URL('../../histories/', import.meta.url)

/** The file of one path of a workflow, as `payment-approved`. */
const historyFile = (name: string): string => fileURLToPath(new URL(`${name}.json`, folder))

/** Keeps the history of a path, an event on each line, without the name of the machine. */
export function keepHistory(name: string, { events }: History): void {
  const lines = events.map((event) => JSON.stringify(event)).join(',\n')
  const text = `{"events":[\n${lines}\n]}\n`.replaceAll(`${process.pid}@${hostname()}`, 'worker')
  writeFileSync(historyFile(name), text)
}

/** Every recorded history by its name. */
export function recordedHistories(): [name: string, history: History][] {
  const names = readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
  // Written by test/histories/record-*histories.ts.
  return names.map((name) => [name, JSON.parse(readFileSync(historyFile(name), 'utf8')) as History])
}

/** What the requests behind the recorded histories say. */
export const PRIVATE = {
  firstName: 'Philippa',
  payer: 'Umbrella Traders',
  payee: 'Quarrystone Zanzibar',
  reason: 'consultancy about a takeover',
  statement: 'Retainer for November',
  notes: 'Do not tell the auditors before Friday',
  comment: 'Agreed with the chairwoman',
  amount: '41.97',
}
