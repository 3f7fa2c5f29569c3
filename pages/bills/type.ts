/** A bill without a file, which a person types. */
import { randomUUID } from 'node:crypto'
import { html } from 'hono/html'
import type { Fault } from '../frame/act.ts'
import { companyPage } from '../frame/company.ts'
import { type Page, keepFields } from '../frame/layout.ts'
import { head, notice } from '../frame/parts.ts'
import type { Viewer } from '../frame/viewer.ts'
import { fieldsOf } from './fields.ts'

export const showNewBill = (viewer: Viewer): Promise<Page | Response> => typePage()(viewer)

export const typePage = (fault?: Fault) =>
  companyPage('bills', (viewer, shell) => {
    const { typed } = viewer.words.bills
    const key = fault && fault.type !== 'idempotency_key_reused' ? fault.sent.get('key') : ''
    return Promise.resolve({
      title: typed.heading,
      ...(fault && { status: fault.status }),
      body: html`${head(typed.heading, { below: html`${typed.why}` })} ${fault ? notice('fault', fault.text) : ''}
        <form class="card" method="post" action="/o/${shell.company.id}/bills">
          ${keepFields([['key', key || randomUUID()]])}
          ${fieldsOf({ viewer, shell, shown: { bill: null, provenance: [], fault } })}
          <div class="actions">
            <button>${typed.save}</button>
            <a class="button second" href="/o/${shell.company.id}/bills">${viewer.words.pay.back}</a>
          </div>
        </form>`,
    })
  })
