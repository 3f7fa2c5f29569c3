/** Items of attention: the API names their things by its own paths, each of which has a page. */
import type { AttentionItem } from '../../services/registries/attention-kinds.ts'
import { notFound } from '../frame/company.ts'
import type { Routes } from '../frame/routes.ts'
import type { Viewer } from '../frame/viewer.ts'
import { DEVICES } from '../me/frame.ts'

/** Pages by the path of a thing in the API, as items name it; `:company` and `:id` are the same on both sides. */
const PAGES: Readonly<Record<string, string>> = {
  '/settings/security': DEVICES,
  '/organizations/:company/approval-policy': '/o/:company/company/rules',
  '/organizations/:company/approvals/:id': '/approve/:id',
  '/organizations/:company/bills/:id': '/o/:company/bills/:id',
  '/organizations/:company/credit-notes/:id': '/o/:company/invoices/credit-notes/:id',
  '/organizations/:company/deposits/:id': '/o/:company/deposits/:id',
  '/organizations/:company/events': '/o/:company/company/activity',
  '/organizations/:company/exports/:id': '/o/:company/books/exports/:id',
  '/organizations/:company/identity-provider': '/o/:company/company/sign-in',
  '/organizations/:company/inbound-mails/:id': '/o/:company/mails/:id',
  '/organizations/:company/integrations': '/o/:company/books/accounting',
  '/organizations/:company/invoices/:id': '/o/:company/invoices/:id',
  '/organizations/:company/onboarding': '/o/:company/company/onboarding',
  '/organizations/:company/payment-batches/:id': '/o/:company/batches/:id',
  '/organizations/:company/payment-contacts/:id': '/o/:company/payees/:id',
  '/organizations/:company/payment-contacts/incomplete.csv': '/o/:company/payees?incomplete=true',
  '/organizations/:company/payments/:id': '/o/:company/payments/:id',
  '/organizations/:company/subscription': '/o/:company/books/plan',
  '/organizations/:company/transactions/:id': '/o/:company/transactions/:id',
  '/organizations/:company/log-streams/:id': '/o/:company/programs/streams',
  '/organizations/:company/webhook-endpoints/:id': '/o/:company/programs/webhooks/:id',
}

const SHAPES = Object.entries(PAGES).map(([path, page]) => ({
  shape: new RegExp(`^${path.replaceAll(/:([a-z]+)/g, '(?<$1>[\\da-fA-F-]{36})')}$`),
  page,
}))

/** Finds the page of a path of the API; null if there is none. */
function pageAt(path: string): string | null {
  for (const { shape, page } of SHAPES) {
    const found = shape.exec(path)
    if (found) return page.replaceAll(/:([a-z]+)/g, (_, name: string) => found.groups?.[name] ?? '')
  }
  return null
}

/** Leads a path of the API, such as the `href` of an item, to its page. */
const lead = (viewer: Viewer) => {
  const page = pageAt(viewer.http.req.path)
  return page === null ? notFound(viewer) : viewer.http.redirect(page, 302)
}

/** Addresses of the API's things, opened in a browser. */
export const THINGS: Routes['shown'] = Object.fromEntries(Object.keys(PAGES).map((path) => [path, lead]))

/** Finds the page on which an item is done; null if there is none. */
export const pageOfItem = ({ href }: Pick<AttentionItem, 'href'>): string | null => pageAt(href)
