/** Dry run: the request as it would be sent, without its secrets. */
import type { Output } from './output.ts'

const SECRET = /^(authorization|x-sandbox-token)$/

/** Prints a request: its method and address, its headers without secrets, its body. */
export function printRequest(output: Output, url: string, { method = 'GET', headers, body }: RequestInit = {}): void {
  const lines = [...new Headers(headers)].map(
    ([name, value]) => `${name}: ${SECRET.test(name) ? value.replace(/\S*$/, '…') : value}`,
  )
  const text = typeof body === 'string' ? ['', body] : body instanceof FormData ? ['', '(the file)'] : []
  output.line([`${method} ${url}`, ...lines, ...text].join('\n'))
}
