/** Calls of another service process, each tried in wrong shapes first, and its mails. */
import { randomBytes } from 'node:crypto'
import { generate } from 'otplib'
import { expect } from 'vitest'
import type { MailServer } from '../mail-server.ts'
import { secret, until } from '../identity/secrets.ts'

/** The service, its mails and its answers; refusals have more readers than their callers. */
export type Run = { url: string; mails: MailServer; refusals: string[]; answered: Set<string> }
export type Reply = { status: number; body: any }

export async function ask(run: Run, method: string, path: string, body?: unknown, token?: string): Promise<Reply> {
  const json = body !== undefined && !(body instanceof FormData)
  const response = await fetch(`${run.url}${path}`, {
    method,
    headers: {
      ...(json && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && {
      body: typeof body === 'string' || body instanceof FormData ? body : JSON.stringify(body),
    }),
  })
  const text = await response.text()
  if (response.status >= 400 && !text.includes('step_up_required')) run.refusals.push(text)
  run.answered.add(`${method} ${path.replace(/\?.*/, '').replaceAll(/[0-9a-f-]{36}/g, '{id}')} ${response.status}`)
  return { status: response.status, body: JSON.parse(text) }
}

/** Sends it four times: with truncated JSON, with itself as a query, with lists everywhere, and correctly. */
export async function post(run: Run, path: string, body: Record<string, unknown>, token?: string): Promise<Reply> {
  const text = JSON.stringify(body)
  const broken = await ask(run, 'POST', path, text.slice(0, -1), token)
  expect(broken.body.error.type).toBe('malformed_request')
  const misplaced = await ask(run, 'POST', `${path}?body=${encodeURIComponent(text)}`, body, token)
  expect(misplaced.body.error.type).toBe('unknown_parameter')
  const listed = Object.fromEntries(Object.entries(body).map(([name, value]) => [name, [value]]))
  if (text !== '{}') expect((await ask(run, 'POST', path, listed, token)).status).toBeGreaterThanOrEqual(400)
  return ask(run, 'POST', path, body, token)
}

/** Repeats a call with its step-up proved. */
export async function withProof(
  run: Run,
  [method, path, body, token]: [string, string, unknown, string],
  prove: (challenge: any) => Promise<unknown>,
): Promise<Reply> {
  const asked = await ask(run, method, path, body, token)
  expect(asked.body.error.type).toBe('step_up_required')
  await prove(asked.body.error.step_up)
  return ask(run, method, path, body, token)
}

export const prove = (run: Run, token: string, id: string, proof: Record<string, unknown>) =>
  post(run, `/step-up/${id}/complete`, proof, token).then(({ body }) => body.status as string)

const seen = new Map<string, number>()
/** Waits for the next mail with the subject, and returns its text. */
export async function mailed(run: Run, to: string, subject: string): Promise<string> {
  const index = seen.get(to + subject) ?? 0
  seen.set(to + subject, index + 1)
  const mail = await until(() => {
    const fitting = run.mails.handed(to).filter((mail) => mail.subject === subject)
    expect(fitting.length).toBeGreaterThan(index)
    return fitting[index]
  })
  return mail?.text ?? ''
}
export const tokenIn = (text: string) => /[\w-]{43}/.exec(text)?.[0] ?? ''
export const codeIn = (text: string) => /\b\d{6}\b/.exec(text)?.[0] ?? ''
export const codeOf = (base32: string, stepsAhead: number) =>
  generate({ secret: base32, epoch: Math.floor(Date.now() / 1000) + stepsAhead * 30 })
export const CODE_SUBJECT = 'Your code to confirm that it is you'

/** A code of six characters that no number equals: it is found only if it was written. */
export const wrongCode = (name: string) =>
  secret(`wrong ${name}`, `q${randomBytes(8).toString('base64').replaceAll(/\W/g, 'z').slice(0, 5)}`)
export const wrongToken = (name: string) => secret(`wrong ${name}`, randomBytes(32).toString('base64url'))
