/** Proof of the books: what was added up, when, and if all of it agrees. */
import { setTimeout as delay } from 'node:timers/promises'
import { html } from 'hono/html'
import { readNewest } from '../../api/events/newest.ts'
import type { OrganizationId } from '../../domain/ids.ts'
import { addDecimals } from '../../domain/money/decimal.ts'
import { type Money, moneyOf } from '../../domain/money/money.ts'
import { digestOf } from '../frame/layout.ts'
import type * as v from 'valibot'
import type { Markup } from '../../api/http/http.ts'
import type { LedgerIntegrity } from '../../domain/accounts/account.ts'
import type { ProofOfFunds } from '../../domain/funds/proof.ts'
import type { FundsLeaf } from '../../domain/funds/sum-tree.ts'
import { type CompanyShell, bodyOf, companyPage, may } from '../frame/company.ts'
import { badge, head, notice, table } from '../frame/parts.ts'
import { rowsOf } from '../frame/rows.ts'
import type { Viewer } from '../frame/viewer.ts'
import type { Words } from '../words/en.ts'

type Proof = v.InferOutput<typeof LedgerIntegrity>

/** Times for which Home shows a proof again: each one reads every entry of its company. Shorter after something happened. */
const [SHOWN_MS, CHANGED_MS] = [5 * 60_000, 15_000]
const KEPT_MAX = 1000
/** Longest that Home waits for a proof. */
const PATIENCE_MS = 300

type Memo = { readonly at: number; readonly newest: string; readonly proof: Promise<Proof | null> }
const memos = new Map<string, Memo>()

/**
 * Reads the latest proof of this process for a company that its viewer sees. Null for those without the permission, and
 * while it is still computed: the next look has it.
 */
export async function readProof(viewer: Viewer, shell: CompanyShell): Promise<Proof | null> {
  if (!may(shell, 'organization.view_balances')) return null
  const { id: companyId } = shell.company
  const newest = digestOf([...(await readNewest([companyId as OrganizationId]))]) // as the API answered it
  const known = memos.get(companyId)
  const age = performance.now() - (known?.at ?? -Infinity)
  if (known && age < (known.newest === newest ? SHOWN_MS : CHANGED_MS)) return soon(known.proof)
  const proof = ask(viewer, companyId).catch(() => null)
  memos.delete(companyId)
  if (memos.size >= KEPT_MAX) memos.delete(memos.keys().next().value ?? '')
  memos.set(companyId, { at: performance.now(), newest, proof })
  void proof.then((found) => found?.ok || memos.delete(companyId)) // what is wrong is looked at again each time
  return soon(proof)
}

const soon = (proof: Promise<Proof | null>): Promise<Proof | null> => Promise.race([proof, delay(PATIENCE_MS, null)])

async function ask(viewer: Viewer, companyId: string): Promise<Proof | null> {
  const answer = await viewer.call<Proof>('GET', `/organizations/${companyId}/ledger/integrity`)
  return answer.ok ? answer.body : null
}

/** Says on one line whether the books are proved, and when that was last checked. */
export const proofLine = (proof: Proof, { company, formats }: CompanyShell, { books }: Words): Markup =>
  html`<p class="small">
    ${proof.ok ? badge(books.proof.ok, 'good') : badge(books.proof.wrong, 'bad')}
    ${books.proof.entries(formats.figure(String(proof.entries)))} ${books.proof.checked}
    ${formats.instant(proof.checked_at)} · <a href="/o/${company.id}/books/proof">${books.proof.how}</a>
  </p>`

export const showProof = companyPage('books', async (viewer, shell) => {
  const { proof: words } = viewer.words.books
  const proof = bodyOf(await viewer.call<Proof>('GET', `/organizations/${shell.company.id}/ledger/integrity`))
  const { formats } = shell
  return {
    title: words.heading,
    body: html`${head(words.heading, { below: proof.ok ? badge(words.ok, 'good') : badge(words.wrong, 'bad') })}
      ${proof.ok ? '' : notice('fault', words.wrongText)}
      <div class="card">
        <p>${words.text}</p>
        ${rowsOf([
          [words.ofEntries, formats.figure(String(proof.entries))],
          [words.ofTransfers, formats.figure(String(proof.transfers))],
          [words.ofViolations, String(proof.violations.length)],
          [words.at, formats.instant(proof.checked_at)],
        ])}
      </div>
      ${
        proof.violations.length > 0
          ? html`<div class="card">
              ${table({
                caption: words.ofViolations,
                columns: [{ name: words.rule }, { name: words.subject }],
                rows: proof.violations.map(({ check, subject }) => [check.replaceAll('_', ' '), subject]),
              })}
            </div>`
          : ''
      }
      ${await showFunds(viewer, shell)}`,
  }
})

/** Adds up the leaf of a proof. */
function sumOf(leaf: string, currency: string): Money {
  const { available, held } = JSON.parse(leaf) as FundsLeaf // as services/funds/leaves.ts made it
  return moneyOf(addDecimals([available, held]), currency)
}

type Funds = v.InferOutput<typeof ProofOfFunds>
/** Members of a signed statement that people read. */
type FundsStatement = { readonly day: string; readonly customers: { readonly sum: string } }

/** Shows the last proof that partners hold the money: the balance of the company then, as a part of the sum of all. */
async function showFunds(viewer: Viewer, { company, formats }: CompanyShell): Promise<Markup | string> {
  const { funds: words } = viewer.words.books.proof
  const answer = await viewer.call<Funds>('GET', `/organizations/${company.id}/ledger/proof-of-funds`)
  const rows = answer.ok ? answer.body.data : []
  if (rows.length === 0) return ''
  return html`<div class="card">
    <h2>${words.heading}</h2>
    <p>${words.text}</p>
    ${table({
      caption: words.heading,
      columns: [{ name: words.day }, { name: words.own }, { name: words.all }],
      rows: rows.map(({ currency, statement, leaf }) => {
        if (statement === null) return [words.none, currency, '']
        const { day, customers } = JSON.parse(statement) as FundsStatement // as services/funds/proofs.ts signed it
        return [
          formats.day(day),
          leaf === null ? words.leftOut : formats.money(sumOf(leaf, currency)),
          formats.money({ amount: customers.sum, currency }),
        ]
      }),
    })}
  </div>`
}
