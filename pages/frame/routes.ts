/** Addresses of pages: each room lists its own, and app.ts mounts them all. */
import type { Page } from './layout.ts'
import type { Fields, Viewer } from './viewer.ts'

type PageResult = Page | Response | Promise<Page | Response>

export type Routes = {
  /** Pages, by the address that shows them. */
  readonly shown: Readonly<Record<string, (viewer: Viewer) => PageResult>>
  /** Takers of forms, by the address that these are sent to. */
  readonly sent: Readonly<Record<string, (viewer: Viewer, form: Fields) => PageResult>>
}
