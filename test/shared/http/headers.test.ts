/** Headers of every kind of answer. */
import { expect, test } from 'vitest'
import { assetPath } from '../../../api/assets/assets.ts'
import { baseUrl } from '../../support/api.ts'

test.each([
  ['/healthz', 200],
  ['/openapi.json', 200],
  ['/docs', 200],
  ['/docs/scalar.js', 200],
  [assetPath('page.js'), 200],
  [assetPath('style.css'), 200],
  ['/sign-in', 200],
  ['/approve', 303],
  ['/operate', 200],
  ['/i/nothing', 404],
  ['/files/nothing', 400],
  ['/api/v1/me', 401],
  ['/api/v1/auth/sign-in', 405],
  ['/mcp', 405],
  ['/oauth/token', 405],
  ['/.well-known/oauth-authorization-server', 200],
  ['/.git/config', 404],
])('the answer of %s, %d, is run, framed and guessed as nothing else, and names no program', async (path, status) => {
  const answer = await fetch(baseUrl + path, { redirect: 'manual' })
  expect(answer.status).toBe(status)
  const { headers } = answer
  const policy = (headers.get('content-security-policy') ?? '').split('; ')
  expect(policy).toEqual(
    expect.arrayContaining(["default-src 'none'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"]),
  )
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('referrer-policy')).toMatch(/^(no-referrer|same-origin)$/)
  if (await answer.text())
    expect(headers.get('content-type')).toMatch(/^application\/(problem\+)?json|^text\/\w+; charset=utf-8$/i)
  expect(['server', 'x-powered-by'].filter((name) => headers.has(name))).toEqual([])
})
