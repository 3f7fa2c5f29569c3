import * as v from 'valibot'
import { optionalLimit } from './pagination.ts'
import { model, opaque } from './text.ts'

/** Names by locale, a tag of BCP 47. */
const Translations = v.array(model('NameTranslation', { locale: v.string(), name: v.string() }))

/** Country of ISO 3166-1; `currency` is null if it has none. */
export const ListedCountry = model('Country', {
  alpha2: v.string(),
  alpha3: v.string(),
  name: v.string(),
  translations: Translations,
  calling_codes: v.array(v.string()),
  currency: v.nullable(v.string()),
})
export type ListedCountry = v.InferOutput<typeof ListedCountry>

/** Subdivision of ISO 3166-2; its code begins with the country's. */
export const Subdivision = model('Subdivision', { code: v.string(), name: v.string(), translations: Translations })

/** Currency of amounts; `precision` is the number of decimals. */
export const ListedCurrency = model('Currency', {
  code: v.string(),
  name: v.string(),
  precision: v.pipe(v.number(), v.integer()),
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
