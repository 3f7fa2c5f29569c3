/** Pages of a company: each stands under /o/{company}, and is for its members alone. */
import { html } from 'hono/html'
import { DECIDING, type Permission } from '../../domain/permissions.ts'
import { notice } from './parts.ts'
import type { Markup } from '../../api/http/http.ts'
import { readNewest } from '../../api/events/newest.ts'
import { type OrganizationId, isUuid } from '../../domain/ids.ts'
import { Page, type Frame, type Place, digestOf } from './layout.ts'
import { type Company, type Shell, shellOf } from './shell.ts'
import { toSignIn } from './return.ts'
import { type Answer, type RefusalView, type Rows, type Viewer, refusalIn } from './viewer.ts'

/** Shell of a page of a company. */
export type CompanyShell = Shell & { readonly company: Company }

type Shown = Omit<Frame, 'place' | 'shell'>

/** Makes a page of a company: signed-out viewers sign in first, and others than its members find nothing. */
export const companyPage =
  (
    place: Place,
    show: (viewer: Viewer, shell: CompanyShell) => Promise<Shown | Response>,
    /** Lists paths that the page reads whatever its frame says: they are asked beside it. */
    reads?: (viewer: Viewer, of: string) => readonly string[],
  ) =>
  async (viewer: Viewer): Promise<Page | Response> => {
    const { company: id } = viewer.http.req.param()
    if (reads && viewer.isSignedIn && isUuid(id))
      for (const path of reads(viewer, `/organizations/${id}`)) viewer.readAhead(path)
    const shell = await shellOf(viewer, viewer.http.req.param('company'))
    if (!shell) return toSignIn(viewer)
    const { company } = shell
    if (!company) return notFound(viewer)
    const shown = await show(viewer, { ...shell, company })
    return shown instanceof Response ? shown : new Page({ ...shown, place, shell })
  }

/** Writes the page for an address that has none. */
export function notFound({ words: { notFound: words, fault } }: Viewer): Page {
  return new Page({
    title: words.heading,
    place: null,
    status: 404,
    body: html`<h1>${words.heading}</h1>
      <p>${words.text}</p>
      <p><a href="/">${fault.home}</a></p>`,
  })
}

/** Returns the body of an answer; a refusal becomes that of the page. */
export function bodyOf<Body>(answer: Answer<Body>): Body {
  if (!answer.ok) throw refusalIn(answer.error)
  return answer.body
}

/** Finds the address of the stream by which a page of work in progress loads again. Ask before the page reads. */
export const liveIn = async ({ id }: CompanyShell['company']): Promise<string> =>
  `/approve/stream?company=${id}&shown=${digestOf([...(await readNewest([id as OrganizationId]))])}` // as the API answered it

/** Tells if a thing is of another company than the address of the page: a viewer may be a member of both. */
export async function isElsewhere(viewer: Viewer, path: string): Promise<boolean> {
  const answer = await viewer.call<{ readonly organization_id: string }>('GET', path)
  return answer.ok && answer.body.organization_id !== viewer.http.req.param('company')
}

/** Makes the address of a file of one thing, such as the receipt of a payment. */
export const fileOf =
  (things: string, file: string) =>
  async (viewer: Viewer): Promise<Page | Response> => {
    const path = `${things}/${encodeURIComponent(viewer.http.req.param('id') ?? '')}`
    return (await isElsewhere(viewer, path)) ? notFound(viewer) : companyFile(() => `${path}/${file}`)(viewer)
  }

/** Makes the address of a file of a company, which is handed on as its operation answers it. */
export const companyFile =
  (path: (viewer: Viewer, companyId: string) => string, name?: string) =>
  async (viewer: Viewer): Promise<Page | Response> => {
    const shell = await shellOf(viewer, viewer.http.req.param('company'))
    if (!shell) return toSignIn(viewer)
    if (!shell.company) return notFound(viewer)
    const answer = await viewer.fetch('GET', path(viewer, shell.company.id))
    if (answer.status === 404) return notFound(viewer)
    if (!answer.ok) throw refusalIn(((await answer.json()) as { readonly error: RefusalView }).error) // its envelope
    if (name) answer.headers.set('content-disposition', `attachment; filename="${name}"`)
    return answer
  }

/** Most rows that a list of a company shows at once. */
const LISTED = 50

/** Writes the query of a list: the filters of these names that the page's address has. */
export function queryOf({ http }: Viewer, names: readonly string[]): string {
  const given = names.flatMap((name): [string, string][] => {
    const value = http.req.query(name)?.trim()
    return value ? [[name, value]] : []
  })
  return new URLSearchParams([...given, ['limit', String(LISTED)]]).toString()
}

/** Leads to the next rows of a list, with its filters. */
export function nextOf({ http, words }: Viewer, { next_cursor: next }: Rows<unknown>): Markup | '' {
  if (next === null) return ''
  const { searchParams } = new URL(http.req.url)
  searchParams.set('cursor', next)
  return html`<p><a href="?${searchParams.toString()}">${words.list.next}</a></p>`
}

/** Tells if the viewer may do something in the company. */
export const may = ({ company }: CompanyShell, permission: Permission): boolean =>
  company.permissions.includes(permission)

/**
 * Tells if the viewer may decide something in the company. Of plain members the page does not know if that was taken, and
 * shows them what is refused then.
 */
export const mayDecide = (shell: CompanyShell, permission: Permission): boolean =>
  may(shell, permission) && (shell.company.role === 'member' || may(shell, DECIDING))

/** Confirms what a form did: its page is shown with `?done=` and one of these words. */
export function doneNotice({ http }: Viewer, said: Readonly<Record<string, string>>): Markup | '' {
  const text = said[http.req.query('done') ?? '']
  return text === undefined ? '' : notice('done', text)
}
