/** Books of a company: where to find statements, accounts, exchange, accounting and plan. */
import { html } from 'hono/html'
import { type CompanyShell, companyPage, may } from '../frame/company.ts'
import { head, icon } from '../frame/parts.ts'
import type { Words } from '../words/en.ts'

type Part = keyof Words['books']['parts']

/** Parts of the books, each with its address below them and what a member needs to see it. */
const PARTS: readonly (readonly [Part, path: string, sees: Parameters<typeof may>[1]])[] = [
  ['exports', '/exports', 'transactions.list_own'],
  ['accounts', '/accounts', 'bank_accounts.list'],
  ['proof', '/proof', 'organization.view_balances'],
  ['exchange', '/exchange', 'payments.swap_fiat'],
  ['accounting', '/accounting', 'organization.read'],
  ['plan', '/plan', 'organization.read'],
]

export const showBooks = companyPage('books', ({ words }, shell: CompanyShell) =>
  Promise.resolve({
    title: words.places.books,
    body: html`${head(words.places.books)}
      <ul class="cards">
        ${PARTS.filter(([, , sees]) => may(shell, sees)).map(
          ([part, path]) =>
            html`<li>
              <a href="/o/${shell.company.id}/books${path}"
                ><strong>${words.books.parts[part].name}</strong><br /><span class="small"
                  >${words.books.parts[part].text}</span
                ></a
              >${icon('onward')}
            </li>`,
        )}
      </ul>`,
  }),
)
