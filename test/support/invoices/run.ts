/** The public page of an invoice in another service process: right, wrong and revoked links. */
import { expect } from 'vitest'
import { secret } from '../identity/secrets.ts'
import { type Run, ask, post, wrongToken } from '../runs/calls.ts'
import { customer } from '../billing-contacts.ts'
import { draft } from './invoices.ts'

/** Sends two invoices of a new organization to a customer without a mail address. */
export async function invoiceRun(run: Run, { token }: { readonly token: string }): Promise<void> {
  const [organization] = (await ask(run, 'GET', '/organizations', undefined, token)).body.data
  const at = `/organizations/${organization.id}`
  const contact = await post(run, `${at}/billing-contacts`, customer({ emails: null }), token)
  const sent = async (name: string) => {
    const { id } = (await post(run, `${at}/invoices`, draft(contact.body.id), token)).body
    const { public_url: url } = (await ask(run, 'POST', `/invoices/${id}/submit`, {}, token)).body
    return { id, page: secret(name, url.slice(url.lastIndexOf('/') + 1)) }
  }
  const [kept, revoked] = [await sent('token of a page'), await sent('revoked token of a page')]
  for (const { page } of [kept, revoked]) expect(await open(run, page)).toBe(200)
  expect((await ask(run, 'DELETE', `/invoices/${revoked.id}/public-link`, undefined, token)).status).toBe(200)
  const wrong = [
    wrongToken('token of a page'),
    `${kept.page}x`,
    revoked.page,
    `${revoked.page}/pdf`,
    `${kept.page}/xml`,
  ]
  for (const page of wrong) expect(await open(run, page)).toBe(404)
}

async function open(run: Run, path: string): Promise<number> {
  const response = await fetch(new URL(`/i/${path}`, run.url))
  const text = await response.text()
  if (response.status >= 400) run.refusals.push(text)
  return response.status
}
