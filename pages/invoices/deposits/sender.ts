/** Form by which the sender of a deposit is named (travel rule). */
import { randomUUID } from 'node:crypto'
import { html } from 'hono/html'
import type { Markup } from '../../../api/http/http.ts'
import { PERSON_TYPES, RELATIONSHIPS } from '../../../domain/deposits/travel-rule.ts'
import type { Deposit } from '../../../domain/deposits/deposit.ts'
import type { Fault } from '../../frame/act.ts'
import type { CompanyShell } from '../../frame/company.ts'
import { keepFields } from '../../frame/layout.ts'
import { type Choice, field, select } from '../../frame/parts.ts'
import type { Viewer } from '../../frame/viewer.ts'
import { countryChoices } from '../../frame/forms/countries.ts'

/** Asks whose account the money comes from, and of another sender who that is. */
export function senderForm(
  { id }: Deposit,
  fault: Fault | undefined,
  viewer: Viewer,
  { company }: CompanyShell,
): Markup {
  const { words, language } = viewer
  const { deposits } = words.invoices
  const { optional } = words.pay
  const value = (name: string): string => fault?.sent.get(name) ?? ''
  const of = (name: string) => ({ id: name, value: value(name), wrong: fault?.wrong[name] })
  const box = (own: 'yes' | 'no', text: string): Markup =>
    html`<label class="choice"
      ><input type="radio" name="own" value="${own}" required ${value('own') === own ? 'checked' : ''} /> ${text}</label
    >`
  return html`<form class="card" method="post" action="/o/${company.id}/deposits/${id}/sender">
    ${keepFields([['key', randomUUID()]])}
    <fieldset>
      <legend>${deposits.own}</legend>
      ${box('yes', deposits.isOwn)} ${box('no', deposits.isOther)}
    </fieldset>
    ${field({ ...of('account_reference'), label: deposits.reference, more: html`maxlength="255"` }, optional)}
    <fieldset>
      <legend>${deposits.other}</legend>
      <div class="pair">
        ${select({
          ...of('person_type'),
          label: deposits.personType,
          choices: [['', '…'], ...PERSON_TYPES.map((one): Choice => [one, deposits.personTypes[one]])],
        })}
        ${select({
          ...of('relationship'),
          label: deposits.relationship,
          choices: [
            ['', '…'],
            ...RELATIONSHIPS.filter((one) => one !== 'self').map((one): Choice => [one, deposits.relationships[one]]),
          ],
        })}
      </div>
      ${field({ ...of('name'), label: deposits.name, more: html`maxlength="255"` })}
      ${field({ ...of('address'), label: deposits.address, more: html`maxlength="1000"` })}
      ${select({ ...of('country'), label: deposits.country, choices: [['', '…'], ...countryChoices(language)] })}
    </fieldset>
    <label class="choice"
      ><input type="checkbox" name="attestation" value="1" required /> <span>${deposits.attest}</span></label
    >
    <div class="actions"><button>${deposits.answer}</button></div>
  </form>`
}
