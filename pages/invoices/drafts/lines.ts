/** Fields of lines in a form: a number of rows, each with what it needs, and the rest behind it. */
import { html } from 'hono/html'
import type { Markup } from '../../../api/http/http.ts'
import { TAX_CATEGORIES } from '../../../domain/invoice-documents/document.ts'
import { keepFields } from '../../frame/layout.ts'
import { type Choice, field, select } from '../../frame/parts.ts'
import type { Fields, Viewer } from '../../frame/viewer.ts'
import { type Line, unitNames } from './draft.ts'

type Shown = {
  readonly lines: readonly Line[]
  /** Faults by the ids of fields. */
  readonly wrong: Readonly<Record<string, string>>
  /** True for lines that can be left out by a box; the form that was sent, once it was. */
  readonly chooses?: true | Fields
}

/** Shows the rows of lines, and the list of units that they share. */
export const lineFields = (shown: Shown, viewer: Viewer): Markup =>
  html`${keepFields([['rows', String(shown.lines.length)]])}
    <datalist id="units">${unitNames(viewer.language).map((name) => html`<option value="${name}"></option>`)}</datalist>
    ${shown.lines.map((line, row) => lineRow(line, row, shown, viewer))}`

function lineRow(line: Line, row: number, { wrong, chooses }: Shown, { words }: Viewer): Markup {
  const { form, categories } = words.invoices
  const of = (part: keyof Line) => ({ id: `${part}_${row}`, value: line[part], wrong: wrong[`${part}_${row}`] })
  const number = html`inputmode="decimal" maxlength="40" autocomplete="off"`
  const isOpen = ['unit', 'category', 'reason'].some((part) => wrong[`${part}_${row}`] !== undefined)
  return html`<fieldset class="line">
    <legend>${form.line(row + 1)}</legend>
    ${
      chooses
        ? html`<label class="choice"
            ><input
              type="checkbox"
              name="include_${row}"
              value="1"
              ${chooses === true || chooses.get(`include_${row}`) ? 'checked' : ''}
            />
            ${words.invoices.notes.include}</label
          >`
        : ''
    }
    ${field({ ...of('description'), label: form.description, more: html`maxlength="1000" autocomplete="off"` })}
    <div class="triple">
      ${field({ ...of('quantity'), label: form.quantity, more: number })}
      ${field({ ...of('price'), label: form.price, more: number })}
      ${field({ ...of('tax'), label: form.tax, more: number })}
    </div>
    <details ${isOpen ? 'open' : ''}>
      <summary>${form.moreOfLine}</summary>
      <div class="pair">
        ${field({ ...of('unit'), label: form.unit, more: html`list="units" maxlength="40" autocomplete="off"` }, words.pay.optional)}
        ${select({
          ...of('category'),
          label: form.category,
          required: true,
          choices: TAX_CATEGORIES.map((one): Choice => [one, categories[one]]),
        })}
      </div>
      ${field({ ...of('reason'), label: form.reason, more: html`maxlength="255"` }, words.pay.optional)}
    </details>
    ${
      line.rest
        ? html`${keepFields([[`rest_${row}`, line.rest]])}
            <p class="small">${form.kept}</p>`
        : ''
    }
  </fieldset>`
}
