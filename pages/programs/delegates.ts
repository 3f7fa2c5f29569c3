/** Delegates of all members: programs and agents that act for people, listed and ended by owners. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { Delegate } from '../../domain/people/delegate.ts'
import { type Fault, act } from '../frame/act.ts'
import { type CompanyShell, bodyOf, companyPage, doneNotice, nextOf, queryOf } from '../frame/company.ts'
import { type Page, isolate } from '../frame/layout.ts'
import { badge, empty, head, notice, sure, table } from '../frame/parts.ts'
import type { Rows, Viewer } from '../frame/viewer.ts'
import type { Words } from '../words/en.ts'
import { findNames } from '../frame/organizations.ts'

export const showDelegates = (viewer: Viewer): Promise<Page | Response> => delegatesPage()(viewer)

const delegatesPage = (fault?: Fault) =>
  companyPage('programs', async (viewer, shell) => {
    const { words } = viewer
    const { delegates: of, parts } = words.programs
    const at = `/organizations/${shell.company.id}`
    const rows = bodyOf(await viewer.call<Rows<Delegate>>('GET', `${at}/delegates?${queryOf(viewer, ['cursor'])}`))
    const names = await findNames(
      viewer,
      shell.company.id,
      rows.data.map(({ user_id: id }) => id),
    )
    return {
      title: parts.delegates.name,
      ...(fault && { status: fault.status }),
      body: html`${doneNotice(viewer, of.done)} ${fault ? notice('fault', fault.text) : ''}
        ${head(parts.delegates.name, { below: html`${of.text}` })}
        <div class="card">
          ${rows.data.length > 0 ? delegateTable(rows.data, names, shell, words) : empty('programs', of.none, of.noneYet)}
        </div>
        ${nextOf(viewer, rows)}`,
    }
  })

const delegateTable = (
  rows: readonly Delegate[],
  names: ReadonlyMap<string, string>,
  { company, formats }: CompanyShell,
  { programs }: Words,
): Markup => {
  const { delegates: of } = programs
  return table({
    caption: programs.parts.delegates.name,
    columns: [{ name: of.name }, { name: of.actsFor }, { name: of.may }, { name: of.used }, { name: of.until }],
    rows: rows.map((row) => [
      html`${isolate(row.name)}<br /><span class="small">${of.kinds[row.kind]}</span>`,
      isolate(names.get(row.user_id) ?? of.formerMember),
      of.access[row.access],
      row.last_used_at ? formats.instant(row.last_used_at) : of.neverUsed,
      row.ended_at
        ? html`${badge(of.ended)} ${formats.instant(row.ended_at)}`
        : html`${formats.instant(row.expires_at)}
          ${sure({ ask: of.end, text: of.endText, action: `/o/${company.id}/programs/delegates/${row.id}/end`, button: of.endNow })}`,
    ]),
  })
}

/** Ends a delegate with its sessions. */
export const endDelegate = act({
  ask: ({ company, id }) => ({
    method: 'DELETE',
    path: `/organizations/${encodeURIComponent(company)}/delegates/${encodeURIComponent(id)}`,
  }),
  then: (_, { company }) => `/o/${company}/programs/delegates?done=ended`,
  again: (viewer, fault) => delegatesPage(fault)(viewer),
})
