/** First pages: `/` for a browser, and the language of the pages. */
import { html } from 'hono/html'
import { Page } from '../frame/layout.ts'
import { icon } from '../frame/parts.ts'
import { shellOf } from '../frame/shell.ts'
import type { Fields, Viewer } from '../frame/viewer.ts'

/** Leads to Home of the viewer's company, or to the page that creates one; shows four doors to those without a session. */
export async function showStart(viewer: Viewer): Promise<Page | Response> {
  const shell = await shellOf(viewer)
  if (shell) return viewer.http.redirect(shell.company ? `/o/${shell.company.id}` : '/companies/new', 302)
  const { start } = viewer.words
  return new Page({
    title: start.heading,
    wide: true,
    body: html`<h1>${start.heading}</h1>
      <p>${start.text}</p>
      <ul class="cards">
        ${DOORS.map(
          ([door, of, path]) =>
            html`<li>
              ${icon(of)}
              <a href="${path}"><strong>${start.doors[door].name}</strong><br />${start.doors[door].text}</a>
            </li>`,
        )}
      </ul>`,
  })
}

const DOORS = [
  ['approve', 'approvals', '/approve'],
  ['signUp', 'company', '/sign-up'],
  ['reference', 'file', '/docs'],
  ['operate', 'info', '/operate'],
] as const

/** Keeps the language that was chosen, and leads back. */
export function changeLanguage(viewer: Viewer, form: Fields): Response {
  viewer.speak(form.get('language'))
  const next = form.get('next')
  return viewer.http.redirect(/^\/(?!\/)[\w/.-]*$/.test(next) ? next : '/', 303)
}
