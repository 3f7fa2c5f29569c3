/** /design in the test environment: each part of pages/frame/parts.ts as it looks, to compare a new page with. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import { type Formats, formatsIn } from '../frame/formats.ts'
import { Page, isolate } from '../frame/layout.ts'
import {
  type Icon,
  area,
  badge,
  empty,
  field,
  head,
  icon,
  notice,
  progress,
  select,
  sure,
  table,
  tabs,
} from '../frame/parts.ts'
import type { Viewer } from '../frame/viewer.ts'

const ICONS: readonly Icon[] = [
  'home',
  'approvals',
  'payments',
  'bills',
  'batches',
  'invoices',
  'payees',
  'company',
  'books',
  'programs',
  'me',
  'more',
  'chevron',
  'onward',
  'warn',
  'bad',
  'good',
  'info',
  'clock',
  'cross',
  'search',
  'plus',
  'file',
  'download',
  'leave',
]
const LOOK_ALIKE = 'P\u0430ypal' // its second letter is Cyrillic
const COLOURS = ['ink', 'grey', 'line', 'ground', 'sheet', 'panel', 'accent', 'bad', 'warn', 'good']

export function showDesign({ language }: Viewer): Page {
  const formats = formatsIn(language, 'UTC')
  const body = html`${head('Design')} ${showText(formats)} ${showParts(formats)} ${showForms()}`
  return new Page({ title: 'Design', place: null, wide: true, body })
}

const euros = (formats: Formats, amount: string): Markup => formats.money({ amount, currency: 'EUR' })

const part = (title: string, body: Markup): Markup =>
  html`<section>
    <h2>${title}</h2>
    ${body}
  </section>`

const showText = (formats: Formats): Markup =>
  html`${[
    part(
      'Type and amounts',
      html`<p class="amount">${euros(formats, '2450.00')}</p>
        <h1>First heading</h1>
        <h2>Second heading</h2>
        <h3>Third heading</h3>
        <p>Text of a page, with <a href="/design">a link</a>. <span class="small">What matters less.</span></p>
        <p>
          ${formats.longDay('2026-12-01')} · ${formats.day('2026-12-01')} · ${formats.instant('2026-12-01T14:05:00Z')}
        </p>
        <p>${isolate(LOOK_ALIKE)}, ${isolate('東京商事株式会社')}, ${isolate('شركة المثال')}</p>`,
    ),
    part(
      'Colours',
      html`<svg viewBox="0 0 400 40" role="img" aria-label="Colours">
        ${COLOURS.map(
          (name, at) => html`<rect x="${at * 40}" width="38" height="38" fill="var(--${name})" stroke="var(--line)" />`,
        )}
      </svg>`,
    ),
    part('Icons', html`<p>${ICONS.map((name) => html`<span class="badge">${icon(name)}${name}</span> `)}</p>`),
    part(
      'States',
      html`<p>
        ${badge('waits')} ${badge('paid', 'good')} ${badge('first payment', 'warn')} ${badge('failed', 'bad')}
      </p>`,
    ),
    part(
      'Notices',
      html`${notice('info', 'A limit was reached: two people approve this.')} ${notice('done', 'You approved this.')}
      ${notice('warn', 'The payee was last paid at another account.')}
      ${notice('fault', 'The balance does not cover this payment now.')}`,
    ),
  ]}`

const showParts = (formats: Formats): Markup =>
  html`${[
    part(
      'Head',
      head('Payments', { below: html`7 wait`, actions: html`<a class="button" href="/design">${icon('plus')}Pay</a>` }),
    ),
    part(
      'Table',
      html`<div class="card">
        ${table({
          caption: 'Payments',
          columns: [{ name: 'Day' }, { name: 'Payee' }, { name: 'State' }, { name: 'Amount', figure: true }],
          rows: [
            [
              formats.day('2026-12-01'),
              isolate('Hansa Logistik GmbH'),
              badge('paid', 'good'),
              euros(formats, '1260.00'),
            ],
            [formats.day('2026-11-30'), isolate('Rhein Papier GmbH'), badge('waits'), euros(formats, '12940.20')],
          ],
          foot: ['', '', '', euros(formats, '14200.20')],
        })}
      </div>`,
    ),
    part(
      'What cannot be taken back',
      sure({
        ask: 'Remove the key',
        text: 'Programs that use it are refused from now on.',
        action: '/design',
        button: 'Remove it',
      }),
    ),
    part(
      'Tabs',
      tabs('Parts', [
        { path: '/design', text: 'Open', here: true, count: 3 },
        { path: '/design', text: 'Done', here: false },
      ]),
    ),
  ]}`

const showForms = (): Markup =>
  html`${[
    part(
      'Form',
      html`<form class="card" method="get" action="/design">
        ${field({ id: 'payee', label: 'Payee', required: true, value: 'Hansa' })}
        ${field({ id: 'amount', label: 'Amount', hint: 'As in 1,250.00', wrong: 'must be more than 0', value: '0' }, 'optional')}
        ${select({
          id: 'currency',
          label: 'Currency',
          required: true,
          value: 'EUR',
          choices: [
            ['EUR', 'Euro'],
            ['USD', 'US dollar'],
          ],
        })}
        ${area({ id: 'notes', label: 'Notes', value: 'Two lines,\nas they were typed' }, 'optional')}
        <label class="choice"><input type="checkbox" name="now" checked /> Pay at once</label>
        <div class="actions">
          <button>Ask for approval</button> <button class="second">Save</button> <button class="danger">Reject</button>
          <button disabled>Not now</button>
        </div>
      </form>`,
    ),
    part('Progress', progress(3, 7, '3 of 7 rows are paid')),
    part(
      'Nothing there',
      html`<div class="card">${empty('bills', 'No bills yet', 'Drop a file here, or send one.')}</div>`,
    ),
  ]}`
