/** Secrets that are shown once: by the answer to a form, in no address, and never for a form that is sent again. */
import { html } from 'hono/html'
import type { StepUp } from '../../domain/step-up/step-up.ts'
import { companyPage } from '../frame/company.ts'
import { Page } from '../frame/layout.ts'
import { area, head, notice } from '../frame/parts.ts'
import type { Routes } from '../frame/routes.ts'
import type { Fields, Viewer } from '../frame/viewer.ts'

type Take = Routes['sent'][string]
type Secret = {
  readonly heading: string
  readonly secret: string
  /** Purpose of the secret, and the place where it belongs. */
  readonly text: string
  /** Address below the company that the page leads to. */
  readonly next: string
}

const KEYS = '/programs/keys'
const secretPages = new WeakSet<Page>()

/** Shows a secret, on a page that no browser keeps. */
export async function showSecret(viewer: Viewer, { heading, secret, text, next }: Secret): Promise<Page | Response> {
  const { secrets } = viewer.words.programs
  const page = await companyPage('programs', (_, { company }) =>
    Promise.resolve({
      title: heading,
      body: html`${head(heading)} ${notice('warn', secrets.once)}
        <div class="card">
          <p>${text}</p>
          ${area({ id: 'secret', label: secrets.label, value: secret, required: true, more: html`readonly autocomplete="off" spellcheck="false"` })}
          <div class="actions"><a class="button" href="/o/${company.id}${next}">${secrets.kept}</a></div>
        </div>`,
    }),
  )(viewer)
  if (page instanceof Page) secretPages.add(page)
  return page
}

/**
 * Takes a form whose work needs a proof of its own: the proof is used up with it, so that the same form, sent again or
 * twice at once, does nothing more.
 */
export const onceByProof =
  (take: Take, next = KEYS): Take =>
  async (viewer, form) => {
    viewer.http.header('cache-control', 'no-store')
    if (await isUsedUp(viewer, form)) return doneBefore(viewer, next)
    const answer = await take(viewer, form)
    const isMade = answer instanceof Page && secretPages.has(answer)
    return !isMade && (await isUsedUp(viewer, form)) ? doneBefore(viewer, next) : answer
  }

async function isUsedUp(viewer: Viewer, form: Fields): Promise<boolean> {
  const id = form.get('step_up')
  if (id === '') return false
  const answer = await viewer.call<StepUp>('GET', `/step-up/${encodeURIComponent(id)}`)
  return answer.ok && answer.body.status === 'consumed'
}

/** Tells the viewer about a form that did its work before; another secret replaces a lost one. */
const doneBefore = (viewer: Viewer, next: string): Promise<Page | Response> => {
  const { secrets, keys } = viewer.words.programs
  return companyPage('programs', (_, { company }) =>
    Promise.resolve({
      title: secrets.before,
      status: 409,
      body: html`${head(secrets.before)} ${notice('info', secrets.beforeText)}
        <div class="actions">
          <a class="button" href="/o/${company.id}${next}">${next === KEYS ? keys.all : secrets.kept}</a>
        </div>`,
    }),
  )(viewer)
}

const underWay = new Map<string, Promise<Page | Response>>()

/**
 * Takes a form whose proof is good for some minutes: one that is sent twice at once is taken once, and both get its
 * answer. One that is sent later finds what its page was drawn before (`ask` compares).
 */
export const onceAtATime =
  (take: Take): Take =>
  async (viewer, form) => {
    viewer.http.header('cache-control', 'no-store')
    const key = [viewer.session, viewer.http.req.path, form.get('key'), form.get('step_up')].join(' ')
    const before = underWay.get(key)
    const answer = before ?? Promise.resolve(take(viewer, form)).finally(() => underWay.delete(key))
    if (!before) underWay.set(key, answer)
    const shown = await answer
    return shown instanceof Response ? shown.clone() : shown
  }
