/** Way to the sign-in and back: which addresses it leads back to, and what a form brought that came without a session. */
import { html } from 'hono/html'
import { type HiddenFields, Page, keepFields } from './layout.ts'
import type { Viewer } from './viewer.ts'

const HOME = '/'
/** Addresses of ours that a sign-in leads back to, with their queries; all else leads to the start. */
const OWN_ADDRESS = /^\/(?:(?:approve|operate|o|me|companies)(?:\/[\w-]+)*|authorize(?=\?))?(?:\?[\w.~%+&=*:,-]*)?$/

/** Returns an address of ours, or the start in place of any other. */
export const nextOf = (asked: string): string => (OWN_ADDRESS.test(asked) ? asked : HOME)

/** Fields that no page keeps: proofs and secrets are entered again. */
const NEVER_KEPT = new Set([
  'step_up',
  'challenge',
  'method',
  'credential',
  'code',
  'password',
  'current_password',
  'token',
])

/** Lists what a form brought, to be sent once more. */
export const fieldsToKeep = ({ sent }: Viewer): HiddenFields =>
  (sent?.entries ?? []).filter(([name]) => !NEVER_KEPT.has(name))

/**
 * Sends a caller without a session to the sign-in, and from there back to a page of ours. A form that brought fields is
 * kept on a page, which sends it once more when its viewer has signed in beside it.
 */
export function toSignIn(viewer: Viewer, next?: string): Page | Response {
  const { http, place } = viewer
  const { search } = new URL(http.req.url)
  const isForm = http.req.method === 'POST'
  const back = next ?? (isForm ? place : http.req.path + search)
  const signIn = `/sign-in?next=${encodeURIComponent(nextOf(back))}`
  const kept = next === undefined && isForm ? fieldsToKeep(viewer) : []
  return kept.some(([, value]) => value !== '') ? againPage(viewer, kept) : http.redirect(signIn, 303)
}

function againPage({ http, words: { again } }: Viewer, kept: HiddenFields): Page {
  return new Page({
    title: again.heading,
    status: 401,
    body: html`<h1>${again.heading}</h1>
      <p>${again.text}</p>
      <p><a class="button second" href="/sign-in" target="_blank" rel="noopener">${again.signIn}</a></p>
      <form method="post" action="${http.req.path}">
        ${keepFields(kept)}
        <div class="actions"><button>${again.send}</button></div>
      </form>`,
  })
}
