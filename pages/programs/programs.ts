/** Programs of a company: keys, webhooks, delegates of its members, and what they called. */
import { html } from 'hono/html'
import { type CompanyShell, companyPage, may } from '../frame/company.ts'
import { empty, head, icon } from '../frame/parts.ts'
import type { Words } from '../words/en.ts'

type Part = keyof Words['programs']['parts']

/** Parts of this place, each with its address below it and who sees it. */
const PARTS: readonly (readonly [Part, path: string, sees: (shell: CompanyShell) => boolean])[] = [
  ['keys', '/keys', (shell) => may(shell, 'api_keys.list')],
  ['webhooks', '/webhooks', (shell) => may(shell, 'organization.update')],
  ['streams', '/streams', ({ company }) => company.role === 'owner'],
  ['requests', '/requests', (shell) => may(shell, 'api_keys.manage')],
  ['delegates', '/delegates', ({ company }) => company.role === 'owner'],
]

export const showPrograms = companyPage('programs', ({ words }, shell) => {
  const parts = PARTS.filter(([, , sees]) => sees(shell))
  return Promise.resolve({
    title: words.places.programs,
    body: html`${head(words.places.programs)}
    ${
      parts.length === 0
        ? html`<div class="card">${empty('programs', words.programs.notYours, words.programs.notYoursText)}</div>`
        : html`<ul class="cards">
            ${parts.map(
              ([part, path]) =>
                html`<li>
                  <a href="/o/${shell.company.id}/programs${path}"
                    ><strong>${words.programs.parts[part].name}</strong><br /><span class="small"
                      >${words.programs.parts[part].text}</span
                    ></a
                  >${icon('onward')}
                </li>`,
            )}
          </ul>`
    }`,
  })
})
