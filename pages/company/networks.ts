/** Networks of a company: from where its credentials work, and how two owners lift them from outside. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import { CREDENTIAL_KINDS, type IpAllowList, type IpAllowListLifting } from '../../domain/organizations/allow-list.ts'
import { type ApiCall, type Fault, act } from '../frame/act.ts'
import { type CompanyShell, bodyOf, companyPage, doneNotice, notFound } from '../frame/company.ts'
import type { Page } from '../frame/layout.ts'
import { area, head, notice, sure } from '../frame/parts.ts'
import type { Fields, Viewer } from '../frame/viewer.ts'
import type { Words } from '../words/en.ts'

type NetworkWords = Words['company']['networks']

const pathOf = (company: string): string => `/o/${company}/company/networks`
const apiPathOf = (company: string): string => `/organizations/${encodeURIComponent(company)}/ip-allow-list`

export const showNetworks = (viewer: Viewer): Promise<Page | Response> => networksPage()(viewer)

const networksPage = (fault?: Fault) =>
  companyPage('company', async (viewer, shell) => {
    const { company } = shell
    if (company.role !== 'owner') return notFound(viewer).frame
    const { heading, networks: of } = viewer.words.company
    const answer = await viewer.call<IpAllowList>('GET', apiPathOf(company.id))
    const isOutside = !answer.ok && answer.error.type === 'ip_not_allowed'
    const address = isOutside ? (answer.error.details?.['address'] as string) : '' // as the refusal has it
    const at = pathOf(company.id)
    return {
      title: of.heading,
      ...(fault && { status: fault.status }),
      body: html`${head(of.heading, { below: html`<a href="/o/${company.id}/company">${heading}</a>` })}
      ${fault ? notice('fault', fault.text) : ''} ${doneNotice(viewer, of.done)}
      ${isOutside ? liftForm(of, at, address) : listCards(of, { at, shell, fault, list: bodyOf(answer) })}`,
    }
  })

/** Shows an owner outside of the networks how they are lifted. */
const liftForm = (of: NetworkWords, at: string, address: string): Markup =>
  html`<form class="card" method="post" action="${at}/lift">
    <h2>${of.outside}</h2>
    <p>${of.yours(address)}</p>
    <p>${of.outsideText}</p>
    <div class="actions"><button class="danger">${of.lift}</button></div>
  </form>`

type Shown = { readonly at: string; readonly shell: CompanyShell; readonly fault: Fault | undefined } & {
  readonly list: IpAllowList
}

function listCards(of: NetworkWords, { at, shell, fault, list }: Shown): Markup {
  const { cidrs, applies_to: kinds, your_address: address, lift } = list
  const chosen = fault ? fault.sent.all('applies_to') : kinds.length > 0 ? kinds : [...CREDENTIAL_KINDS]
  const wrong = fault && Object.entries(fault.wrong).find(([path]) => path.startsWith('cidrs'))?.[1]
  return html`${lift ? liftCard(of, at, shell.formats.instant(lift.expires_at)) : ''}
    <form class="card" method="post" action="${at}">
      <p>${cidrs.length === 0 ? of.none : of.text}</p>
      <p>${of.yours(address)}</p>
      ${area({
        id: 'cidrs',
        label: of.list,
        value: fault?.sent.get('cidrs') ?? cidrs.join('\n'),
        hint: of.listHint,
        required: true,
        wrong,
      })}
      <fieldset>
        <legend>${of.appliesTo}</legend>
        ${CREDENTIAL_KINDS.map(
          (kind) =>
            html`<label class="choice"
              ><input type="checkbox" name="applies_to" value="${kind}" ${chosen.includes(kind) ? 'checked' : ''} />
              ${of.kinds[kind]}</label
            >`,
        )}
      </fieldset>
      <div class="actions"><button>${of.save}</button></div>
    </form>
    ${
      cidrs.length > 0
        ? sure({ ask: of.remove, text: of.removeText, action: `${at}/remove`, button: of.removeNow })
        : ''
    }`
}

const liftCard = (of: NetworkWords, at: string, until: Markup): Markup =>
  html`<form class="card" method="post" action="${at}/lift/cancel">
    ${notice('warn', html`${of.lifting} ${until}.`)}
    <div class="actions"><button class="second">${of.cancel}</button></div>
  </form>`

type Done = keyof NetworkWords['done']

/** Makes what takes a form of this page, which is shown again then; without `done` the answer's status says what is. */
const takes = (done: Done | null, ask: (form: Fields, path: string) => ApiCall) =>
  act<Pick<IpAllowListLifting, 'status'>>({
    ask: ({ form, company }) => ask(form, apiPathOf(company)),
    then: ({ status }, { company }) => `${pathOf(company)}?done=${done ?? status}`,
    again: (viewer, fault) => networksPage(fault)(viewer),
  })

export const saveNetworks = takes('saved', (form, path) => ({
  method: 'PUT',
  path,
  body: {
    cidrs: form
      .get('cidrs')
      .split(/[\s,;]+/)
      .filter(Boolean),
    applies_to: form.all('applies_to'),
  },
}))

export const removeNetworks = takes('removed', (_, path) => ({ method: 'DELETE', path }))

export const liftNetworks = takes(null, (_, path) => ({ path: `${path}/lift`, body: {} }))

export const cancelLift = takes('cancelled', (_, path) => ({ method: 'DELETE', path: `${path}/lift` }))
