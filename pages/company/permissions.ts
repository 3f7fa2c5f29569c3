/** Permissions that are taken from a member, by subject: presets fill them in, and each can be ticked. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { Member } from '../../domain/organizations/member.ts'
import { PERMISSIONS, PRESETS, PRESET_NAMES, type Permission, grants } from '../../domain/permissions.ts'
import type { Fault } from '../frame/act.ts'
import { keepFields } from '../frame/layout.ts'
import type { Words } from '../words/en.ts'

type Subject = keyof Words['company']['permissions']['subjects']

/** Subjects of permissions by the first word of their keys. */
const SUBJECTS: Readonly<Record<Subject, readonly string[]>> = {
  approvals: ['approvals', 'chains'],
  payments: ['payments', 'bank_accounts', 'deposit_addresses'],
  payees: ['payment_contacts', 'payment_destinations'],
  bills: ['bills', 'expenses'],
  invoices: ['billing_invoices', 'billing_contacts'],
  books: ['transactions', 'xero', 'integrations'],
  people: ['members', 'invitations', 'api_keys'],
  company: ['organization', 'onboarding', 'feedback'],
  cards: ['cards', 'card_entitlements'],
}
const ENTRIES = Object.entries(SUBJECTS) as [Subject, readonly string[]][] // of these keys

type Shown = {
  readonly at: string
  readonly member: Member
  readonly words: Words
  readonly fault: Fault | undefined
  /** Preset that the page's address asks to fill in. */
  readonly fill: string | undefined
}

/** Shows a checkbox for each permission, ticked where it is taken. */
export function removalForm({ at, member, words, fault, fill }: Shown): Markup {
  const { permissions: of, people } = words.company
  const ticked = new Set<string>(readTicks(fault) ?? presetIn(fill) ?? member.permissions_removed)
  return html`<form class="card" method="post" action="${at}/permissions" id="permissions">
    ${keepFields([['of', 'permissions']])}
    <h2>${of.heading}</h2>
    <p>${of.text}</p>
    <p>
      ${of.fill}:
      ${[...PRESET_NAMES, 'none' as const].map(
        (name) => html` <a href="${at}?fill=${name}#permissions">${people.presets[name]}</a>`,
      )}
    </p>
    ${ENTRIES.map(([subject, first]) => subjectField(first, { legend: of.subjects[subject], member, ticked, words }))}
    <div class="actions"><button class="second">${of.save}</button></div>
  </form>`
}

/** Lists what was ticked in a form that was not taken. */
const readTicks = (fault: Fault | undefined): readonly string[] | undefined =>
  fault?.sent.get('of') === 'permissions' ? fault.sent.all('removed') : undefined

function presetIn(fill: string | undefined): readonly Permission[] | undefined {
  if (fill === 'none') return []
  const name = PRESET_NAMES.find((one) => one === fill)
  return name && PRESETS[name]
}

type Ticks = { readonly legend: string; readonly member: Member; readonly ticked: ReadonlySet<string> } & {
  readonly words: Words
}

const subjectField = (first: readonly string[], { legend, member, ticked, words }: Ticks): Markup =>
  html`<fieldset>
    <legend>${legend}</legend>
    ${PERMISSIONS.filter((key) => first.includes(key.split('.')[0] ?? '')).map(
      (key) =>
        html`<label class="choice"
          ><input type="checkbox" name="removed" value="${key}" ${ticked.has(key) ? 'checked' : ''} />
          <span
            >${words.company.permissions.keys[key]}
            ${grants(member.role, key) ? '' : html`<span class="small">${words.company.permissions.lacking}</span>`}</span
          ></label
        >`,
    )}
  </fieldset>`
