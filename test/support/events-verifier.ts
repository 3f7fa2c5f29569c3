/** The script of docs/events.md that verifies an exported log. */
import { publishedScript } from './published-script.ts'

const run = publishedScript('docs/events.md')

/** Verifies an exported log, its heads and the keys with the script; returns its output. */
export async function verifyExport(events: unknown, heads: unknown, keys: unknown): Promise<string> {
  const { error, output, complaint } = await run([events, heads, keys])
  return error ? (/AssertionError.*?: (.*)/.exec(complaint)?.[1] ?? complaint) : output.trim()
}
