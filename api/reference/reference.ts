/** Reference data: countries, their subdivisions, currencies. */
import { refuse } from '../../domain/errors.ts'
import { pageOf } from '../../domain/pagination.ts'
import { CodePageQuery, CountryCodePath, ListedCountry, ListedCurrency, Subdivision } from '../../domain/reference.ts'
import { countries, currencies, subdivisionsOf } from '../../platform/reference/reference.ts'
import { PreparedJson } from '../http/http.ts'
import { operations } from '../http/operation.ts'

const { query } = operations('Reference')

export const reference = [
  query('/countries', 'listCountries')
    .says(
      'List the countries of ISO 3166-1',
      'In the order of their alpha-2 codes, with their names in all languages. All of them without `limit` and ' +
        '`cursor`, which is the `alpha2` of the last country. `calling_codes` is empty, and `currency` null, if ' +
        'there is none.',
    )
    .delegates('read')
    .filters(CodePageQuery)
    .cached('private for a day')
    .answers(pageOf(ListedCountry))
    .does(async ({ query }) => new PreparedJson(countries().page(query))),
  query('/countries/{country_code}/subdivisions', 'listSubdivisions')
    .says(
      'List the subdivisions of a country (ISO 3166-2)',
      'In the order of their codes, with all translations. The country is named by its alpha-2 or alpha-3, in any ' +
        'case. All of them without `limit` and `cursor`, the last `code`.',
    )
    .delegates('read')
    .named(CountryCodePath)
    .filters(CodePageQuery)
    .cached('private for a day')
    .answers(pageOf(Subdivision))
    .does(
      async ({ params, query }) =>
        new PreparedJson((subdivisionsOf(params.country_code) ?? refuse('not_found')).page(query)),
    ),
  query('/currencies', 'listCurrencies')
    .says(
      'List currencies and coins',
      'Those of amounts, in the order of their codes, with their decimals. All of them without `limit` and ' +
        '`cursor`, which is the `code` of the last currency.',
    )
    .delegates('read')
    .filters(CodePageQuery)
    .cached('private for a day')
    .answers(pageOf(ListedCurrency))
    .does(async ({ query }) => new PreparedJson(currencies().page(query))),
]
