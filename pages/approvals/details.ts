/** Details of an approval: all rows of a batch, and the evidence for an auditor. */
import { html } from 'hono/html'
import type { BatchRow } from '../../domain/batches/batch.ts'
import type { Markup } from '../../api/http/http.ts'
import { addressLines } from '../../domain/destinations/payee-address.ts'
import { isMismatch } from '../../domain/payee-checks/payee-check.ts'
import { findApproval, notHere } from './approval.ts'
import { type Page, writePage, isolate } from '../frame/layout.ts'
import { money } from '../frame/rows.ts'
import { table } from '../frame/parts.ts'
import { toSignIn } from '../frame/return.ts'
import { describeCheck } from './payee.ts'
import type { Viewer } from '../frame/viewer.ts'

/** Pages through the rows of a batch, as the API lists them. */
export async function showBatchRows(viewer: Viewer): Promise<Page | Response> {
  const found = await findApproval(viewer, viewer.http.req.param('id') ?? '')
  if (found === 'signed out') return toSignIn(viewer)
  if (!found || found.approval.target_type !== 'payment_batch') return notHere()
  const { approval } = found
  const cursor = viewer.http.req.query('cursor')
  const path = `/payment-batches/${approval.target_id}/rows?limit=100${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`
  const answer = await viewer.call<{ data: readonly BatchRow[]; has_more: boolean }>('GET', path)
  if (!answer.ok) return notHere()
  const { data, has_more: more } = answer.body
  return writePage({
    title: 'Rows of the batch',
    place: null,
    body: html`<p><a href="/approve/${approval.approval_id}">Back to the approval</a></p>
      <h1>Rows</h1>
      ${table({
        caption: 'Rows of the batch',
        columns: [
          { name: 'Row' },
          { name: 'Payee' },
          { name: 'Account' },
          { name: 'Status' },
          { name: 'Amount', figure: true },
        ],
        rows: data.map((row) => [
          String(row.row_number),
          html`${isolate(row.payee ?? '')}${remarksOn(row)}`,
          isolate(accountOf(row)),
          row.status,
          row.amount ? money(row.amount) : '',
        ]),
      })}
      ${more ? html`<p><a href="?cursor=${data.at(-1)?.id ?? ''}">Next</a></p>` : ''}`,
  })
}

/** Shows what the bank says about a payee of another name, and the address in its row. */
function remarksOn({ payee_check: check, cells }: BatchRow): Markup {
  const { address_town: town, address_country: country, address_street: street } = cells
  const address = addressLines({
    street: street ?? null,
    building_number: cells.address_building_number ?? null,
    postal_code: cells.address_postal_code ?? null,
    town: town ?? '',
    region: null,
    country_code: country ?? '',
  })
  return html`${isMismatch(check?.result ?? null) && check ? html`<br />${describeCheck(check)}` : ''}
  ${address.length > 0 ? html`<br /><span class="small">${isolate(address.join(', '))}</span>` : ''}`
}

/** Reads the account of a row as it was typed. */
const accountOf = ({ cells }: BatchRow): string =>
  ['iban', 'account_number', 'payee_svc_id'].map((name) => cells[name]).find(Boolean) ?? ''

/** Answers the evidence as a file, which a script verifies (docs/evidence.md). */
export async function showEvidence(viewer: Viewer): Promise<Page | Response> {
  const id = viewer.http.req.param('id') ?? ''
  const found = await findApproval(viewer, id)
  if (found === 'signed out') return toSignIn(viewer)
  if (!found) return notHere()
  const answer = await viewer.fetch('GET', `/organizations/${found.organization.id}/approvals/${id}/evidence`)
  if (!answer.ok) return notHere()
  return viewer.http.body(await answer.text(), 200, {
    'content-type': 'application/json',
    'content-disposition': `attachment; filename="evidence-${id}.json"`,
  })
}
