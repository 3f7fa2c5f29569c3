/** More places of a company, for a phone whose bar has room for five. */
import { html } from 'hono/html'
import { companyPage } from '../frame/company.ts'
import { PLACES, pathOf } from '../frame/layout.ts'
import { head, icon } from '../frame/parts.ts'

export const showMore = companyPage('more', ({ words }, { company }) =>
  Promise.resolve({
    title: words.places.more,
    body: html`${head(words.places.more)}
      <ul class="cards">
        ${PLACES.filter(([, , , rare]) => rare).map(
          ([place, of, path]) =>
            html`<li>
              ${icon(of)} <a href="${pathOf(place, path, company.id)}"><strong>${words.places[place]}</strong></a
              >${icon('onward')}
            </li>`,
        )}
      </ul>`,
  }),
)
