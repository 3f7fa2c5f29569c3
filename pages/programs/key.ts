/** One API key: what it may do, another secret, and its end. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { ApiKey, ApiKeyWithSecret } from '../../domain/organizations/api-key.ts'
import { markAlike } from '../../domain/look-alikes.ts'
import { type Act, type Fault, act } from '../frame/act.ts'
import { type CompanyShell, bodyOf, companyPage, doneNotice, may, notFound } from '../frame/company.ts'
import { type Page, isolate } from '../frame/layout.ts'
import { head, notice, sure } from '../frame/parts.ts'
import { rowsOf } from '../frame/rows.ts'
import type { Viewer } from '../frame/viewer.ts'
import type { Words } from '../words/en.ts'
import { beginOf, keyBadge, sayScopes } from './keys.ts'
import { onceByProof, showSecret } from './secret.ts'

const pathOf = (company: string, id: string): string =>
  `/organizations/${encodeURIComponent(company)}/api-keys/${encodeURIComponent(id)}`

export const showKey = (viewer: Viewer): Promise<Page | Response> => keyPage()(viewer)

const keyPage = (fault?: Fault) =>
  companyPage('programs', async (viewer, shell) => {
    const { words } = viewer
    const { keys: of } = words.programs
    const answer = await viewer.call<ApiKey>('GET', pathOf(shell.company.id, viewer.http.req.param('id') ?? ''))
    if (answer.status === 404) return notFound(viewer).frame
    const key = bodyOf(answer)
    const { formats } = shell
    return {
      title: markAlike(key.name),
      ...(fault && { status: fault.status }),
      body: html`${doneNotice(viewer, of.done)} ${fault ? notice('fault', fault.text) : ''}
        ${head(isolate(key.name), {
          below: html`${keyBadge(key, words)} <a href="/o/${shell.company.id}/programs/keys">${of.all}</a>`,
        })}
        <div class="card">
          ${rowsOf([
            [of.begins, html`<code>${beginOf(key)}</code>`],
            [of.role, of.roles[key.role]],
            [of.may, sayScopes(key.scopes, words)],
            [of.madeAt, formats.instant(key.inserted_at)],
            [of.used, key.last_used_at ? formats.instant(key.last_used_at) : of.neverUsed],
            [of.rotatedAt, key.rotated_at && formats.instant(key.rotated_at)],
            [of.earlierUntil, key.previous_secret_expires_at && formats.instant(key.previous_secret_expires_at)],
            [of.revokedAt, key.revoked_at && formats.instant(key.revoked_at)],
          ])}
        </div>
        ${actions(key, shell, words)}`,
    }
  })

function actions({ id, status }: ApiKey, shell: CompanyShell, { programs }: Words): Markup | '' {
  if (status !== 'active' || !may(shell, 'api_keys.manage')) return ''
  const { keys: of } = programs
  const at = `/o/${shell.company.id}/programs/keys/${id}`
  return html`<div class="actions">
    ${sure({ ask: of.rotate, text: of.rotateText, action: `${at}/rotate`, button: of.rotateNow })}
    ${sure({ ask: of.revoke, text: of.revokeText, action: `${at}/revoke`, button: of.revokeNow })}
  </div>`
}

const again = (viewer: Viewer, fault: Fault) => keyPage(fault)(viewer)

/** Gives a key another secret, and shows it by this answer alone. */
export const rotateKey = onceByProof(
  act<ApiKeyWithSecret>({
    ask: ({ company, id }) => ({ path: `${pathOf(company, id)}/rotate`, body: {} }),
    then: ({ id, secret }, { viewer }: Act) => {
      const { keys: of } = viewer.words.programs
      return showSecret(viewer, { heading: of.rotated, secret, text: of.rotatedText, next: `/programs/keys/${id}` })
    },
    again,
  }),
)

/** Ends a key, at once and for good. */
export const revokeKey = act<ApiKey>({
  ask: ({ company, id }) => ({ path: `${pathOf(company, id)}/revoke`, body: {} }),
  then: ({ id }, { company }) => `/o/${company}/programs/keys/${id}?done=revoked`,
  again,
})
