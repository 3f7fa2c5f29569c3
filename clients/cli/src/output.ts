/** Output of a command: tables on a terminal, the JSON of the API in a pipe, messages beside it. */
import type { Sink } from './io.ts'
import { drawRecord, drawTable } from './table.ts'
import { escapeJson, makeLinesSafe, makeSafe } from './text.ts'

export type Output = {
  /** True if a person reads the answers. */
  readonly isForPeople: boolean
  /** Writes an answer: `json` as it came, or its value for people. */
  readonly answer: (json: string, value: unknown) => void
  /** Writes a line that others can read on. */
  readonly line: (text: string) => void
  readonly bytes: (chunk: Uint8Array) => void
  /** Tells people something, on stderr. */
  readonly say: (text: string) => void
  /** Moves the line of progress; in a log it is a line for each change. */
  readonly progress: (text: string) => void
  /** Ends the line of progress. */
  readonly endProgress: () => void
}

const CLEAR_LINE = '\r\u001b[2K'

/** Makes the output of a command. */
export function makeOutput(stdout: Sink, stderr: Sink, asJson: boolean): Output {
  const isForPeople = stdout.isTTY && !asJson
  let latest = ''
  const endProgress = () => {
    if (latest && stderr.isTTY) stderr.write('\n')
    latest = ''
  }
  return {
    isForPeople,
    answer: (json, value) => {
      if (isForPeople) stdout.write(drawAnswer(value, stdout.columns))
      else stdout.write(`${stdout.isTTY ? escapeJson(json) : json}\n`)
    },
    line: (text) => stdout.write(`${stdout.isTTY ? makeLinesSafe(text) : text}\n`),
    bytes: (chunk) => stdout.write(chunk),
    say: (text) => {
      endProgress()
      if (text) stderr.write(`${stderr.isTTY ? makeLinesSafe(text) : text}\n`)
    },
    progress: (text) => {
      if (text === latest) return
      latest = text
      stderr.write(stderr.isTTY ? CLEAR_LINE + makeSafe(text) : `${text}\n`)
    },
    endProgress,
  }
}

type Page = { readonly data: readonly Readonly<Record<string, unknown>>[]; readonly next_cursor: string | null }

function drawAnswer(value: unknown, columns: number): string {
  if (isPage(value)) return value.data.length > 0 ? drawTable(value.data, columns) : ''
  return drawRecord(value as Readonly<Record<string, unknown>>)
}

export const isPage = (value: unknown): value is Page =>
  typeof value === 'object' && value !== null && 'data' in value && Array.isArray(value.data) && 'next_cursor' in value
