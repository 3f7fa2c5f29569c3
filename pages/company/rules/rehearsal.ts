/** Rehearsal of a policy: who would approve a request, now and under a draft. */
import { html } from 'hono/html'
import type { Markup } from '../../../api/http/http.ts'
import { ACTION_TYPES, actionOf } from '../../../domain/approvals/approval.ts'
import type { PolicyResult } from '../../../domain/approvals/policy.ts'
import { readAmount } from '../../frame/forms/amounts.ts'
import type { CompanyShell } from '../../frame/company.ts'
import { isolate } from '../../frame/layout.ts'
import { messageOf } from '../../frame/messages.ts'
import { type Choice, field, notice, select } from '../../frame/parts.ts'
import type { Answer, Fields, Viewer } from '../../frame/viewer.ts'
import { nameOf } from '../../frame/organizations.ts'
import { choicesOf } from '../members.ts'
import { payeeChoices } from './conditions.ts'
import type { Naming, ShownRule } from './sentences.ts'

type Rehearsal = { readonly form: Fields; readonly naming: Naming }

/** Most approvers of a step that are named. */
const NAMED_MAX = 8

/** Shows the fields of a request that is only tried. */
export async function rehearsalForm(viewer: Viewer, shell: CompanyShell, { form, naming }: Rehearsal): Promise<Markup> {
  const { words, members } = naming
  const { rehearsal: of, actions } = words.rules
  const payees = await payeeChoices(viewer, shell)
  return html`<h2>${of.heading}</h2>
    <div class="card">
      <p>${of.text}</p>
      <div class="pair">
        ${select({
          id: 'try_action',
          label: of.what,
          value: form.get('try_action') || 'withdrawal',
          required: true,
          choices: ACTION_TYPES.map((type): Choice => [type, actions[type]]),
        })}
        ${select({
          id: 'try_by',
          label: of.by,
          value: form.get('try_by'),
          required: true,
          choices: choicesOf(members, words),
        })}
      </div>
      <div class="pair">
        ${field({ id: 'try_amount', label: of.amount, value: form.get('try_amount'), more: html`inputmode="decimal"` }, words.company.optional)}
        ${field({ id: 'try_currency', label: of.currency, value: form.get('try_currency') || 'EUR', more: html`maxlength="8"` }, words.company.optional)}
        ${select({ id: 'try_payee', label: of.payee, value: form.get('try_payee'), choices: [['', of.anyPayee], ...payees] }, words.company.optional)}
      </div>
      <div class="actions"><button class="second" name="do" value="try">${of.try}</button></div>
    </div>`
}

/** Shows what a request would need, by the rules in force and by those of the draft. */
export async function rehearse(
  viewer: Viewer,
  { company }: CompanyShell,
  { form, naming, rules }: Rehearsal & { readonly rules: readonly ShownRule[] },
): Promise<Markup> {
  const { rehearsal: of } = naming.words.rules
  const action = ACTION_TYPES.find((type) => type === form.get('try_action')) ?? 'withdrawal'
  const typed = form.get('try_amount').trim()
  const amount = readAmount(typed, viewer.language)
  if (typed !== '' && amount === null) return notice('fault', of.amountUnclear)
  const payee = form.get('try_payee') || null
  const asked = {
    action_type: action,
    amount:
      amount !== null && actionOf(action).hasAmount
        ? { amount, currency: form.get('try_currency').trim().toUpperCase() }
        : null,
    ...(payee && actionOf(action).paysOut && { payment_contact_id: payee }),
    requested_by: form.get('try_by') || null,
  }
  const ask = (more: object): Promise<Answer<PolicyResult>> =>
    viewer.call<PolicyResult>('POST', `/organizations/${company.id}/approval-policy/evaluate`, { ...asked, ...more })
  const isNew = action === 'withdrawal' && payee === null
  const contact = { action_type: 'payment_contact', amount: null }
  const [now, after, payeeNow, payeeAfter] = await Promise.all([
    ask({}),
    ask({ rules }),
    isNew ? ask(contact) : null,
    isNew ? ask({ ...contact, rules }) : null,
  ])
  return html`<div class="columns" id="tried">
    ${resultCard(of.now, now, payeeNow, naming)} ${resultCard(of.after, after, payeeAfter, naming)}
  </div>`
}

function resultCard(
  title: string,
  answer: Answer<PolicyResult>,
  payee: Answer<PolicyResult> | null,
  naming: Naming,
): Markup {
  const { rehearsal: of } = naming.words.rules
  return html`<section class="card">
    <h3>${title}</h3>
    ${answer.ok ? resultOf(answer.body, naming) : notice('fault', messageOf(answer.error))}
    ${
      payee?.ok && payee.body.rule
        ? html`<h4>${of.newPayee}</h4>
            ${resultOf(payee.body, naming)}`
        : ''
    }
  </section>`
}

function resultOf({ rule, can_be_met: isMet, steps, limits }: PolicyResult, naming: Naming): Markup {
  const { rehearsal: of, of: per, periods } = naming.words.rules
  const { formats } = naming
  return html`${
    rule === null
      ? html`<p>${of.none}</p>`
      : html`<ol class="steps">
            ${steps.map((step, at) => stepOf(step, at, naming))}
          </ol>
          ${isMet ? html`<p class="small">${of.can}</p>` : notice('warn', of.cannot)}`
  }
  ${limits.map(
    (one) =>
      html`<p class="small">
        ${of.limit(formats.plain(one.limit), per[one.per], periods[one.period], formats.plain(one.used))}
        ${one.reached ? html`<strong>${one.hard ? of.hard : of.reached}</strong>` : ''}
      </p>`,
  )}`
}

function stepOf({ required, approvers }: PolicyResult['steps'][number], at: number, naming: Naming): Markup {
  const { rehearsal: of, people } = naming.words.rules
  const nameOfId = (id: string): string => {
    const member = naming.members.find((one) => one.id === id)
    return member ? nameOf(member) : naming.words.rules.former
  }
  const more = approvers.length - NAMED_MAX
  return html`<li>
    ${of.step(at + 1, people(required))} ${approvers.length === 0 ? of.nobody : ''}
    ${approvers
      .slice(0, NAMED_MAX)
      .map(
        ({ id, on_behalf_of: other }, index) =>
          html`${index === 0 ? '' : ', '}${isolate(nameOfId(id))}${other ? html` (${isolate(of.forOther(nameOfId(other)))})` : ''}`,
      )}
    ${more > 0 ? of.more(more) : ''}
  </li>`
}
