import * as v from 'valibot'
import { optionalLimit } from './pagination.ts'
import { model, opaque, describe } from './text.ts'

/** Names by locale, a tag of BCP 47. */
const Translations = v.array(
  model('NameTranslation', { locale: describe(v.string(), 'Language tag (BCP 47).'), name: v.string() }),
)

/** Country of ISO 3166-1; `currency` is null if it has none. */
export const ListedCountry = model('Country', {
  alpha2: describe(v.string(), 'Code (ISO 3166-1 alpha-2).'),
  alpha3: describe(v.string(), 'Code (ISO 3166-1 alpha-3).'),
  name: describe(v.string(), 'English name.'),
  translations: Translations,
  calling_codes: describe(v.array(v.string()), 'Calling codes, with `+`.'),
  currency: describe(v.nullable(v.string()), 'Currency of the country; null if it has none.'),
})
export type ListedCountry = v.InferOutput<typeof ListedCountry>

/** Subdivision of ISO 3166-2; its code begins with the country's. */
export const Subdivision = model('Subdivision', {
  code: describe(v.string(), 'Code (ISO 3166-2).'),
  name: v.string(),
  translations: Translations,
})

/** Currency of amounts; `precision` is the number of decimals. */
export const ListedCurrency = model('Currency', {
  code: describe(v.string(), 'Code (ISO 4217) or symbol of the coin.'),
  name: v.string(),
  precision: describe(v.pipe(v.number(), v.integer()), 'Number of decimals.'),
  kind: v.picklist(['fiat', 'coin']),
})
export type ListedCurrency = v.InferOutput<typeof ListedCurrency>

/** Query of a keyset page by code; the whole list without limit and cursor. */
export const CodePageQuery = v.object({ limit: optionalLimit, cursor: v.optional(opaque(1, 16)) })

/** Path with a code of ISO 3166-1, alpha-2 or alpha-3, in any case; the country may not exist. */
export const CountryCodePath = v.object({
  country_code: v.pipe(
    v.string(),
    v.check((code) => /^.{2,3}$/su.test(code), 'must have two or three characters'),
    v.metadata({ jsonSchema: { type: 'string', minLength: 2, maxLength: 3 } }),
  ),
})
