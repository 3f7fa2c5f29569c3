/** What is the same for everybody: countries, their subdivisions, currencies. */
import { refuse } from '../../domain/errors.ts'
import { pageOf } from '../../domain/pagination.ts'
import { CodePageQuery, CountryCodePath, ListedCountry, ListedCurrency, Subdivision } from '../../domain/reference.ts'
import { countries, currencies, subdivisionsOf } from '../../db/reference/reference.ts'
import { PreparedJson } from '../http/http.ts'
import { route } from '../http/route.ts'

export const reference = [
  route({
    method: 'get',
    path: '/countries',
    operationId: 'listCountries',
    summary: 'List the countries of ISO 3166-1 in the order of their alpha-2, with their names in all languages',
    tag: 'Reference',
    note: 'All of them without `limit` and `cursor`, which is the `alpha2` of the last country. `calling_codes` is empty, and `currency` null, if there is none.',
    cacheable: 'private for a day',
    query: CodePageQuery,
    returns: pageOf(ListedCountry),
    handle: async ({ query }) => new PreparedJson(countries().page(query)),
  }),
  route({
    method: 'get',
    path: '/countries/{country_code}/subdivisions',
    operationId: 'listSubdivisions',
    summary: 'List the subdivisions of a country, ISO 3166-2, in the order of their codes, with all translations',
    tag: 'Reference',
    note: 'The country is named by its alpha-2 or alpha-3, in any case. All of them without `limit` and `cursor`, the last `code`.',
    cacheable: 'private for a day',
    params: CountryCodePath,
    query: CodePageQuery,
    returns: pageOf(Subdivision),
    handle: async ({ params, query }) =>
      new PreparedJson((subdivisionsOf(params.country_code) ?? refuse('not_found')).page(query)),
  }),
  route({
    method: 'get',
    path: '/currencies',
    operationId: 'listCurrencies',
    summary: 'List the currencies and coins that amounts can be in, in the order of their codes, with their decimals',
    tag: 'Reference',
    note: 'All of them without `limit` and `cursor`, which is the `code` of the last currency.',
    cacheable: 'private for a day',
    query: CodePageQuery,
    returns: pageOf(ListedCurrency),
    handle: async ({ query }) => new PreparedJson(currencies().page(query)),
  }),
]
