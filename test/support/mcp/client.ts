/** Agents: the official client of the protocol at our endpoint, by a bearer. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { baseUrl } from '../api.ts'

export const mcpUrl = new URL('/mcp', baseUrl)

/** Connects an agent, by the present protocol or as the generation before it does. */
export async function agent(bearer: string, era: 'present' | 'before' = 'present'): Promise<Client> {
  const client = new Client(
    { name: 'test-agent', version: '1' },
    { versionNegotiation: { mode: era === 'present' ? 'auto' : 'legacy' } },
  )
  const headers = { authorization: `Bearer ${bearer}` }
  await client.connect(new StreamableHTTPClientTransport(mcpUrl, { requestInit: { headers } }))
  return client
}

export type Result = { isError?: boolean; structuredContent: any; text: string }

/** Calls a tool; the text is the same JSON as the structured content. */
export async function use(client: Client, name: string, args: Record<string, unknown> = {}): Promise<Result> {
  const { isError, structuredContent, content } = await client.callTool({ name, arguments: args })
  const [first] = content as { text: string }[]
  return { ...(isError !== undefined && { isError }), structuredContent, text: first?.text ?? '' }
}

/** Posts a raw message, as programs without the client do. */
export async function post(body: unknown, headers: Record<string, string> = {}, method = 'POST') {
  const answer = await fetch(mcpUrl, {
    method,
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    ...(method === 'POST' && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, body: text === '' ? null : JSON.parse(text) }
}
