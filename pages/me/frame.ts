/** Frame of the viewer's own pages: their parts as tabs. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { Fault } from '../frame/act.ts'
import { type Frame, Page } from '../frame/layout.ts'
import { head, notice, tabs } from '../frame/parts.ts'
import { toSignIn } from '../frame/return.ts'
import { type Shell, shellOf } from '../frame/shell.ts'
import type { Viewer } from '../frame/viewer.ts'

export const DEVICES = '/approve/devices'

const TABS = [
  ['profile', '/me'],
  ['devices', DEVICES],
  ['log', '/me/log'],
] as const
export type Tab = (typeof TABS)[number][0]

type Shown = { readonly title: string; readonly body: Markup; readonly status?: Frame['status'] }

/** Makes a page of the viewer; one who is signed out signs in first. */
export const mePage =
  (tab: Tab, show: (viewer: Viewer, shell: Shell) => Promise<Shown>) =>
  async (viewer: Viewer): Promise<Page | Response> => {
    const shell = await shellOf(viewer)
    if (!shell) return toSignIn(viewer)
    const { title, body, status = 200 } = await show(viewer, shell)
    const { me } = viewer.words
    const parts = TABS.map(([one, path]) => ({ path, text: me.tabs[one], here: one === tab }))
    return new Page({
      title,
      status,
      place: null,
      shell,
      body: html`${head(me.heading)} ${tabs(me.tabs.label, parts)} ${body}`,
    })
  }

/** Shows why a form was not taken. */
export const faultNotice = (fault: Fault | undefined): Markup | '' => (fault ? notice('fault', fault.text) : '')

/** Status and text of a page whose form was not taken. */
export const statusOf = (fault: Fault | undefined): Pick<Shown, 'status'> => (fault ? { status: fault.status } : {})
