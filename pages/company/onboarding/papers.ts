/** Papers of a legal entity: those that are there, and the form that adds one. */
import { randomUUID } from 'node:crypto'
import { html } from 'hono/html'
import type { Markup } from '../../../api/http/http.ts'
import { DOCUMENT_KINDS } from '../../../domain/onboarding/document.ts'
import type { Onboarding } from '../../../domain/onboarding/onboarding.ts'
import { type CompanyShell, may } from '../../frame/company.ts'
import { isolate, keepFields } from '../../frame/layout.ts'
import { type Choice, field, icon, select } from '../../frame/parts.ts'
import type { Viewer } from '../../frame/viewer.ts'

export function papersCard(viewer: Viewer, shell: CompanyShell, { documents, people }: Onboarding): Markup {
  const of = viewer.words.company.onboarding
  const at = `/o/${shell.company.id}/company/onboarding/papers`
  const nameOf = (id: string | null) => people.find((one) => one.id === id)?.name ?? of.unnamed
  return html`<section class="card">
    <h2>${of.papers}</h2>
    ${documents.length === 0 ? html`<p class="small">${of.noPapers}</p>` : ''}
    <ul>
      ${documents.map(
        ({ id, kind, person_id: person, file_name: name, status }) =>
          html`<li>
            ${kind === 'identity' ? of.identityOf(nameOf(person)) : of.kinds[kind]}: ${isolate(name)}
            ${status === 'awaiting_upload' ? html`<span class="small">${of.awaited}</span>` : ''}
            <form class="inline" method="post" action="${at}/${id}/remove">
              <button class="second">${of.remove}</button>
            </form>
          </li>`,
      )}
    </ul>
    <form method="post" action="${at}" enctype="multipart/form-data">
      ${keepFields([['key', randomUUID()]])}
      ${select({ id: 'kind', label: of.fields.kind, required: true, choices: choicesOf(viewer, shell, people) })}
      ${field({
        id: 'file',
        label: of.fields.file,
        type: 'file',
        hint: of.paperHint,
        required: true,
        more: html`accept=".pdf,.png,.jpg,.jpeg"`,
      })}
      <div class="actions"><button class="second">${icon('file')}${of.addPaper}</button></div>
    </form>
  </section>`
}

/** Lists the papers that can be added: of the entity, and the identity of each person. */
function choicesOf(viewer: Viewer, shell: CompanyShell, people: Onboarding['people']): Choice[] {
  const of = viewer.words.company.onboarding
  const own = may(shell, 'organization.update')
    ? DOCUMENT_KINDS.filter((kind) => kind !== 'identity').map((kind): Choice => [kind, of.kinds[kind]])
    : []
  return [...own, ...people.map(({ id, name }): Choice => [`identity.${id}`, of.identityOf(name ?? of.unnamed)])]
}
