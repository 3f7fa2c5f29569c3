/** The recorded histories in test/histories, and texts that must never be readable in them. */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { fileURLToPath } from 'node:url'

/** One event of a history in JSON; its attributes depend on its type. */
export type HistoryEvent = { eventType: string; [attributes: string]: any }
export type History = { events: HistoryEvent[] }

/** The part of a history that is readable without the key: its JSON, and the bytes of payloads. */
export function readable(history: History): string {
  const text = JSON.stringify(history)
  const payloads = [...text.matchAll(/"data":"([A-Za-z0-9+/]+={0,2})"/g)].map(([, data]) =>
    Buffer.from(data ?? '', 'base64'),
  )
  return [text, ...payloads.map(String)].join('\n')
}

const folder = new URL('../../histories/', import.meta.url)

/** The file of one path of a workflow, such as `payment-approved`. */
const historyFile = (name: string): string => fileURLToPath(new URL(`${name}.json`, folder))

/** Stores the history of a path, one event a line, without the machine's name. */
export function keepHistory(name: string, { events }: History): void {
  const lines = events.map((event) => JSON.stringify(event)).join(',\n')
  const text = `{"events":[\n${lines}\n]}\n`.replaceAll(`${process.pid}@${hostname()}`, 'worker')
  writeFileSync(historyFile(name), text)
}

export function recordedHistories(): [name: string, history: History][] {
  const names = readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
  // written by test/histories/record-*histories.ts
  return names.map((name) => [name, JSON.parse(readFileSync(historyFile(name), 'utf8')) as History])
}

/** Secret texts of the recorded requests. */
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
