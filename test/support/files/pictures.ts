/** Uploads of avatars and logos, and their addresses. */
import { expect } from 'vitest'
import { type Answer, type TestPerson, baseUrl, requireDeclared } from '../api.ts'

type Uploaded = Pick<Answer, 'status' | 'body'>

/** Sends bytes in a form to `/me/avatar` or to the logo of an organization. */
export async function upload(
  { token }: TestPerson,
  path: string,
  bytes: Uint8Array,
  { field = 'file', type = 'image/png' } = {},
): Promise<Uploaded> {
  const form = new FormData()
  form.set(field, new Blob([new Uint8Array(bytes)], { type }), 'picture.png')
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${baseUrl}/api/v1${path}`, { method: 'POST', headers, body: form })
  const answer = { status: response.status, body: await response.json() }
  requireDeclared('POST', path, answer)
  return answer
}

/** Reads the path of a public address. */
export function pathIn({ url }: { url: string }): string {
  expect(url).toMatch(/^http:\/\/localhost:\d+\/api\/v1\/(avatars|logos)\/[0-9a-f-]{36}$/)
  return url.slice(url.indexOf('/api/v1/') + '/api/v1'.length)
}

export const served = (path: string) => fetch(`${baseUrl}/api/v1${path}`)

/** Expects a served picture with the headers that shut it in, and returns its bytes. */
export async function bytesAt(path: string): Promise<Buffer> {
  const response = await served(path)
  expect([response.status, Object.fromEntries(response.headers)]).toMatchObject([
    200,
    {
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': expect.stringMatching(/^default-src 'none'; .*frame-ancestors 'none'; sandbox$/),
      'x-content-type-options': 'nosniff',
    },
  ])
  return Buffer.from(await response.arrayBuffer())
}
