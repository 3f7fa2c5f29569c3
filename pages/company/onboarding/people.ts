/** Forms of the people of a legal entity; a person sees their own alone. */
import { html } from 'hono/html'
import type { Markup } from '../../../api/http/http.ts'
import type { Onboarding } from '../../../domain/onboarding/onboarding.ts'
import { type OnboardingPerson, PERSON_ROLES } from '../../../domain/onboarding/person.ts'
import { type CompanyShell, may } from '../../frame/company.ts'
import { countryChoices } from '../../frame/forms/countries.ts'
import { isolate, keepFields } from '../../frame/layout.ts'
import { type Choice, type Field, field, select, sure } from '../../frame/parts.ts'
import { nameOf } from '../../frame/organizations.ts'
import type { Viewer } from '../../frame/viewer.ts'
import { membersAnd } from '../members.ts'
import type { Shown } from './page.ts'

export async function peopleCard(
  viewer: Viewer,
  shell: CompanyShell,
  { people }: Onboarding,
  fault: Shown,
): Promise<Markup> {
  const of = viewer.words.company.onboarding
  const isWhole = may(shell, 'organization.update')
  const named = people.flatMap(({ user_id: id }) => id ?? [])
  const members = isWhole ? await membersAnd(viewer, shell.company.id, named) : []
  const form = personForm(
    viewer,
    shell,
    members.map((one): Choice => [one.id, nameOf(one)]),
    fault,
  )
  return html`<section class="card">
    <h2>${of.people}</h2>
    ${people.length === 0 ? html`<p class="small">${of.noPeople}</p>` : ''}
    ${people.map(
      (one) =>
        html`<details ${people.length === 1 ? 'open' : ''}>
          <summary>${isolate(one.name ?? of.unnamed)} · ${one.roles.map((role) => of.roles[role]).join(', ')}</summary>
          ${form(one)}
          ${
            isWhole
              ? sure({
                  ask: of.removePerson,
                  text: of.removePersonText,
                  action: `/o/${shell.company.id}/company/onboarding/people/${one.id}/remove`,
                  button: of.removePerson,
                })
              : ''
          }
        </details>`,
    )}
    ${
      isWhole
        ? html`<details>
            <summary>${of.addPerson}</summary>
            ${form(null)}
          </details>`
        : ''
    }
  </section>`
}

/** Fields that no review asks for, or of owners alone; the others may be empty until it is submitted. */
const OPTIONAL: ReadonlySet<string> = new Set(['share', 'line2'])

/** Makes the form of a person; null of a new one. */
function personForm(viewer: Viewer, shell: CompanyShell, members: readonly Choice[], fault: Shown) {
  const { optional, onboarding: of } = viewer.words.company
  const isWhole = may(shell, 'organization.update')
  const countries = countryChoices(viewer.language)
  return (person: OnboardingPerson | null): Markup => {
    const key = person?.id ?? 'new'
    const sent = fault?.sent.get('form') === `person-${key}` ? fault.sent : undefined
    const at = (
      name: string,
      now: string | null | undefined,
      more: Partial<Field> & { readonly member?: string } = {},
    ) => {
      const { member = name, ...rest } = more
      const wrong = sent ? fault?.wrong[member] : undefined
      const label = of.fields[name as keyof typeof of.fields]
      return { id: `${name}-${key}`, sentAs: name, label, value: sent ? sent.get(name) : now, wrong, ...rest }
    }
    const text = (...of: Parameters<typeof at>) => field(at(...of), OPTIONAL.has(of[0]) ? optional : '')
    const choice = (name: string, now: string | null | undefined, choices: readonly Choice[], member = name) => {
      const { type: _, ...rest } = at(name, now, { member })
      return select({ ...rest, choices: [['', '…'], ...choices] })
    }
    const address = person?.address
    const action = person ? `people/${person.id}` : 'people'
    return html`<form method="post" action="/o/${shell.company.id}/company/onboarding/${action}">
      ${keepFields([['form', `person-${key}`]])}
      ${
        isWhole
          ? html`<fieldset>
                <legend>${of.fields.roles}</legend>
                ${PERSON_ROLES.map(
                  (role) =>
                    html`<label class="choice"
                      ><input
                        type="checkbox"
                        name="roles"
                        value="${role}"
                        ${person?.roles.includes(role) ? 'checked' : ''}
                      />
                      ${of.roles[role]}</label
                    >`,
                )}
              </fieldset>
              ${text('share', person?.share)}
              ${select({ ...at('member', person?.user_id, { member: 'user_id' }), choices: [['', of.nobody], ...members] }, optional)}`
          : ''
      }
      <div class="pair">${text('name', person?.name)} ${text('born_on', person?.born_on, { type: 'date' })}</div>
      <div class="pair">
        ${choice('nationality', person?.nationality, countries)} ${text('identity_number', person?.identity_number)}
      </div>
      <div class="pair">
        ${text('line1', address?.line1, { member: 'address.line1' })}
        ${text('line2', address?.line2, { member: 'address.line2' })}
      </div>
      <div class="pair">
        ${text('postal_code', address?.postal_code, { member: 'address.postal_code' })}
        ${text('city', address?.city, { member: 'address.city' })}
      </div>
      ${choice('country', address?.country_code, countries, 'address.country_code')}
      <div class="actions"><button class="second">${person ? of.savePerson : of.addPerson}</button></div>
    </form>`
  }
}
