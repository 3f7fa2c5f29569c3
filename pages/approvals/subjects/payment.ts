/** Balance, arrival and earlier payments of a payment that waits. */
import { html } from 'hono/html'
import type { Markup } from '../../../api/http/http.ts'
import type { Balances } from '../../../domain/accounts/account.ts'
import { type Money, subtract } from '../../../domain/money/money.ts'
import type { Fees } from '../../../domain/money/fees.ts'
import type { Payment } from '../../../domain/payments/payment.ts'
import { isolate } from '../../frame/layout.ts'
import { notice, table } from '../../frame/parts.ts'
import { rowsOf } from '../../frame/rows.ts'
import type { Rows, Viewer } from '../../frame/viewer.ts'
import { stateBadge } from '../../payments/list.ts'
import type { RequestShell } from '../find.ts'

/** Most earlier payments that are shown. */
const EARLIER_MAX = 5

/** Shows balance, arrival and earlier payments of a payment that waits; of a decided one what its payee got. */
export async function showPayment(viewer: Viewer, request: RequestShell, payment: Payment): Promise<Markup> {
  const of = `/organizations/${request.organization.id}`
  const isPending = request.approval.status === 'pending'
  const earlier = `payment_contact_id=${payment.payment_contact_id}&limit=${EARLIER_MAX + 1}`
  const [balances, fees, paid] = await Promise.all([
    isPending ? viewer.call<Balances>('GET', `${of}/balances`) : null,
    isPending ? viewer.call<Fees>('GET', '/fees') : null,
    viewer.call<Rows<Payment>>('GET', `${of}/payments?${earlier}`),
  ])
  return html`${isPending ? ofBalance(request, payment, balances?.ok ? balances.body : null, fees?.ok ? fees.body : null) : ''}
  ${paid.ok ? ofPayee(request, payment, paid.body.data) : ''}`
}

function ofBalance(
  { texts }: RequestShell,
  payment: Payment,
  balances: Balances | null,
  fees: Fees | null,
): Markup | '' {
  const { formats } = texts
  const { request: words } = texts.words
  const { deducting } = payment
  const before = balances?.data.find(({ currency }) => currency === deducting.currency)?.available
  const after = before && subtract(before, deducting)
  const isShort = after !== undefined && after.amount.startsWith('-')
  const arrives = fees && arrivalIn(payment, fees, words)
  if (!before && !arrives) return ''
  return html`<section class="card">
    <h2>${words.balance}</h2>
    ${isShort ? notice('warn', words.short) : ''}
    ${rowsOf([
      [words.before, before && formats.money(before)],
      [words.leaves, formats.money(deducting)],
      [words.after, after && moneyIn(after, isShort, formats.money)],
      [words.arrives, arrives],
    ])}
  </section>`
}

const moneyIn = (money: Money, isShort: boolean, show: (money: Money) => Markup): Markup =>
  isShort ? html`<strong>${show(money)}</strong>` : show(money)

/** Says when a payment arrives after its approval, or after its day. */
function arrivalIn(
  { rail, speed, fallback, schedule }: Payment,
  { arrival }: Fees,
  words: RequestShell['texts']['words']['request'],
): string {
  const standard =
    rail === 'fiat' ? words.businessDays(arrival.fiat.business_days) : words.minutes(arrival[rail].minutes)
  const time = speed === 'instant' ? (fallback === 'none' ? words.seconds : words.secondsOr(standard)) : standard
  return schedule ? words.afterDay(time) : words.afterApproval(time)
}

/** Shows the last payments to the payee, so that an unusual one is seen. */
function ofPayee({ organization, texts }: RequestShell, payment: Payment, rows: readonly Payment[]): Markup {
  const { formats, words: all } = texts
  const { request: words } = all
  const earlier = rows.filter(({ id }) => id !== payment.id).slice(0, EARLIER_MAX)
  const list = `/o/${organization.id}/payments`
  return html`<section class="card">
    <h2>${words.earlier}</h2>
    ${
      earlier.length === 0
        ? html`<p>${words.noEarlier}</p>`
        : html`${table({
              caption: words.earlier,
              columns: [
                { name: all.payments.asked },
                { name: words.notes },
                { name: all.payments.state },
                { name: words.amount, figure: true },
              ],
              rows: earlier.map((one) => [
                html`<a href="${list}/${one.id}">${formats.instant(one.created_at)}</a>`,
                one.internal_notes ? isolate(one.internal_notes) : '',
                stateBadge(one, all),
                formats.money(one.landing),
              ]),
            })}
            <p>
              <a href="${list}?${new URLSearchParams({ q: payment.destination_name }).toString()}"
                >${words.allEarlier}</a
              >
            </p>`
    }
  </section>`
}
